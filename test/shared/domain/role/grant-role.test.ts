import { expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { assignmentRule } from '#shared/domain/role/grant-role.ts';
import { accessOrDefault } from '#shared/table/items/access-item.ts';
import { storedRole } from '../../../support/stored-items.ts';

const [userId, appId, role] = ['ada' as UserId, 'billing' as AppId, 'editor' as RoleName];
const at = new Date('2026-11-20T19:00:00.000Z');
const createdAt = '2026-01-01T00:00:00.000Z';
const access = accessOrDefault(undefined, userId, appId);

const assign = (item: object, definedBefore?: string) => {
  const limits = definedBefore === undefined ? {} : { definedBefore };
  const extraItem = { ...storedRole(), ...item };
  const rule = assignmentRule(appId, { role, expiresAt: null }, limits);
  return rule.decide({ access, extraItems: [extraItem] }, at);
};

test('a role can be assigned until it is deleted or closed', () => {
  expect(assign({})).toMatchObject({ action: 'role.assigned', role });
  expect(() => assign({ deleting: true })).toThrow('The application has no role "editor".');
  expect(() => assign({ closedUntil: '2026-11-20T19:00:01.000Z' })).toThrow(
    'This role may be about to be deleted. Try again in a few seconds.',
  );
});

test('a role that existed then is restored, one that was redefined since is not', () => {
  expect(assign({}, createdAt)).toMatchObject({ action: 'role.assigned' });
  expect(assign({ createdAt: '2026-02-01T00:00:00.000Z' })).toMatchObject({ action: 'role.assigned' });
  expect(() => assign({ createdAt: '2026-02-01T00:00:00.000Z' }, createdAt)).toThrow(
    expect.objectContaining({
      code: 'role_not_found',
      options: { detail: 'The role "editor" was deleted since, and another role with this name was defined.' },
    }),
  );
});
