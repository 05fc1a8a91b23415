import { expect, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import { requireApplication } from '#shared/table/items/application-item.ts';
import { requireUser } from '#shared/table/items/user-item.ts';
import { storedApplication, storedUser } from '../../../support/stored-items.ts';

test('an unknown user is refused with user_not_found', () => {
  const user = storedUser();
  expect(requireUser(user)).toBe(user);
  expect(() => requireUser(undefined)).toThrow(
    new ServiceError('user_not_found', { detail: 'There is no user with this id. Create the user first.' }),
  );
});

test('an unknown application is refused with application_not_found', () => {
  const application = storedApplication();
  expect(requireApplication(application)).toBe(application);
  expect(() => requireApplication(undefined)).toThrow(
    new ServiceError('application_not_found', { detail: 'There is no application with this id.' }),
  );
});
