import { beforeEach, expect, jest, test } from '@jest/globals';
import { issueConnectionKey } from '#options/connections/server/connection-keys.ts';
import { createConnection } from '#options/connections/server/connections.ts';
import type { AppId, ConnectionId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { createUser, updateUser } from '#shared/domain/user/users.ts';
import { describeRepair } from '#test/support/repair-pages.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { isChange, type Stored, tornWrites } from '#test/support/torn-writes.ts';
import { changeDirectoryGroup, createDirectoryGroup } from '../../server/change-directory-group.ts';
import { provisionUser } from '../../server/provision-user.ts';

const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'admin' as RoleName];
const accessKey = { pk: `USER#${userId}`, sk: `ACCESS#${appId}` };

const memory = tableForEachTest();
const { repair, changes, tear: tearItems } = tornWrites(memory);

/** Tears a write; returns what the access was with all of it. */
async function tear(write: () => Promise<unknown>, comes: (item: Stored) => boolean) {
  const whole = await tearItems(write, comes);
  return whole.find(({ pk, sk }) => pk === accessKey.pk && sk === accessKey.sk);
}

/** Gives the role by a group of a directory, which has the user already, and takes it by leaving the group. */
async function giveByGroup() {
  const connectionId = 'okta' as ConnectionId;
  const settings = { name: 'Okta', applications: [appId], userIdAttribute: 'userName', takeover: 'matching' } as const;
  const groupRoles = [{ group: 'Staff', appId, role }];
  await createConnection({ connectionId, kind: 'scim', ...settings, groupRoles }, context);
  const scopes = ['users:write', 'roles:write'] as const;
  const { keyId } = await issueConnectionKey(
    { connectionId, scopes: [...scopes], expiresAt: null, label: null },
    context,
  );
  const caller = { kind: 'connection', connectionId, keyId: keyId as KeyId } as const;
  const directory = { caller, requestId: 'request', sourceIp: '203.0.113.7' };
  await provisionUser({ userName: userId, externalId: '7', active: true, attributes: {} }, directory);
  const group = { displayName: 'Staff', externalId: null };
  const { id } = await createDirectoryGroup({ ...group, members: [] }, directory);
  const change = (members: { add: UserId[]; remove: UserId[] }) => changeDirectoryGroup({ id }, { members }, directory);
  return {
    give: () => change({ add: [userId], remove: [] }),
    take: () => change({ add: [], remove: [userId] }),
  };
}

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  await createUser({ userId, displayName: 'Ada King', email: null }, context);
  await defineRole({ appId, role, description: null }, context);
});

describeRepair('a grant by a group', () => {
  test('of which only the change came is what the write made of it', async () => {
    const { give } = await giveByGroup();
    jest.setSystemTime(new Date('2026-11-20T19:00:10.000Z'));
    const whole = await tear(give, isChange);
    expect(memory.table.get(accessKey)).not.toEqual(whole);
    await repair();
    expect(memory.table.get(accessKey)).toEqual(whole);
    expect(await repair()).toEqual([]);
  });

  test('whose change was lost gets one that says so', async () => {
    const { give } = await giveByGroup();
    await tear(give, (item) => !isChange(item));
    expect(await repair()).toContain('change-missing');
    expect(changes('role.assigned')).toMatchObject([{ role, after: { granted: true, fromGroup: true } }]);
  });
});

describeRepair('a role that a group gave, and whose change has a later time than the account says', () => {
  test.each([
    ['of which only the change came', isChange],
    ['of which the access did not come', ({ sk }: Stored) => sk !== accessKey.sk],
  ])('%s, is taken when the user leaves the group', async (_, comes) => {
    const { give, take } = await giveByGroup();
    // The user was changed in this millisecond: the change of the grant is a millisecond later.
    await updateUser({ userId, displayName: 'Ada Lovelace' }, context);
    const whole = await tear(give, comes);
    await repair();
    expect(memory.table.get(accessKey)).toMatchObject({ roles: { [role]: { fromGroup: true } } });
    expect(memory.table.get(accessKey)?.roles).not.toEqual(whole?.roles);
    // Whoever has not been added yet is added by the repetition.
    await give();
    await take();
    expect(memory.table.get(accessKey)).toMatchObject({ roles: {} });
  });
});
