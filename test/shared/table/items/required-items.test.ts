import { expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { requireApplication } from '#shared/table/items/application-item.ts';
import { requireUser } from '#shared/table/items/user-item.ts';

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

test('a user who does not exist is refused with user_not_found', () => {
  const user = {
    userId: 'ada' as UserId,
    status: 'active',
    displayName: null,
    email: null,
    version: 1,
    ...times,
    lastChangeId: null,
    statusChangeId: null,
    chainHead: null,
    words: null,
  } as const;
  expect(requireUser(user)).toBe(user);
  expect(() => requireUser(undefined)).toThrow(
    new ServiceError('user_not_found', { detail: 'There is no user with this id. Create the user first.' }),
  );
});

test('an application that does not exist is refused with application_not_found', () => {
  const application = {
    appId: 'billing' as AppId,
    name: 'Billing',
    rolloutPercent: 100,
    requestsPerSecond: null,
    keys: {},
    version: 1,
    ...times,
    chainHead: null,
  };
  expect(requireApplication(application)).toBe(application);
  expect(() => requireApplication(undefined)).toThrow(
    new ServiceError('application_not_found', { detail: 'There is no application with this id.' }),
  );
});
