import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, ConnectionId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { issueConnectionKey } from '#shared/domain/connection/connection-keys.ts';
import { createConnection } from '#shared/domain/connection/connections.ts';
import { repairTable } from '#shared/domain/repair/repair-table.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { createDirectoryGroup } from '#shared/domain/scim/change-directory-group.ts';
import { provisionUser } from '#shared/domain/scim/provision-user.ts';
import { createUser, updateUser } from '#shared/domain/user/users.ts';
import { operatorContext as context } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'admin' as RoleName];
const userKey = { pk: `USER#${userId}`, sk: 'USER' };
const accessKey = { pk: `USER#${userId}`, sk: `ACCESS#${appId}` };
type Stored = Record<string, unknown> & { readonly pk: string; readonly sk: string };

const memory = tableForEachTest();
const items = () => memory.table.items() as Stored[];
const isChange = ({ sk }: Stored) => sk.startsWith('CHANGE#');
const changes = (action: string) => items().filter((item) => isChange(item) && item.action === action);

async function repair(): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const [page] = await Promise.all([repairTable({ limit: 100, cursor }, context), jest.runAllTimersAsync()]);
    found.push(...page.findings.map(({ kind }) => kind));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** Of a write, a takeover brings only these items; returns what the access was with all of them. */
async function tear(write: () => Promise<unknown>, comes: (item: Stored) => boolean) {
  const before = new Map(items().map((item) => [`${item.pk} ${item.sk}`, item]));
  await write();
  const access = memory.table.get(accessKey);
  for (const item of items()) {
    const earlier = before.get(`${item.pk} ${item.sk}`);
    if (comes(item) || JSON.stringify(earlier) === JSON.stringify(item)) continue;
    if (earlier !== undefined) memory.put(earlier);
    else memory.table.writeAll([{ kind: 'Delete', input: { Key: { pk: item.pk, sk: item.sk } } }]);
  }
  return access;
}

const block = (until: string | null = null) =>
  setAccess({ userId, appId, setting: { status: 'disabled', reason: 'left', until } }, context);
const assign = (expiresAt: string | null = null) => assignRole({ userId, appId, grant: { role, expiresAt } }, context);
const revoke = () => revokeRole({ userId, appId, role }, context);

/** Gives the role by a group of a directory, which has the user already. */
async function giveByGroup(): Promise<() => Promise<unknown>> {
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
  const directory = { ...{ caller, requestId: 'request' }, sourceIp: '203.0.113.7' };
  await provisionUser({ userName: userId, externalId: '7', active: true, attributes: {} }, directory);
  return () => createDirectoryGroup({ displayName: 'Staff', externalId: null, members: [userId] }, directory);
}

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  await createUser({ userId, displayName: 'Ada King', email: null }, context);
  await defineRole({ appId, role, description: null }, context);
});

describe('an access of whose write only the change came is what the write made of it', () => {
  test.each<[string, () => Promise<() => Promise<unknown>>]>([
    ['a block', async () => block],
    ['a block with an end', async () => () => block('2026-12-01T00:00:00.000Z')],
    ['a grant', async () => assign],
    [
      'the end of a grant',
      async () => {
        await assign();
        return revoke;
      },
    ],
    ['a grant by a group', giveByGroup],
  ])('%s', async (_, prepare) => {
    const write = await prepare();
    jest.setSystemTime(new Date('2026-11-20T19:00:10.000Z'));
    const whole = await tear(write, isChange);
    expect(memory.table.get(accessKey)).not.toEqual(whole);
    await repair();
    expect(memory.table.get(accessKey)).toEqual(whole);
    expect(await repair()).toEqual([]);
  });
});

describe('an access whose change was lost gets one', () => {
  const lose = (write: () => Promise<unknown>) => tear(write, (item) => !isChange(item));

  test('that says that a group gave the role', async () => {
    await lose(await giveByGroup());
    expect(await repair()).toContain('change-missing');
    expect(changes('role.assigned')).toMatchObject([{ role, after: { granted: true, fromGroup: true } }]);
  });

  test('that its block names, and that the user has already when the repair reads again', async () => {
    await lose(block);
    expect((await repair()).filter((kind) => kind !== 'history-gap')).toEqual(['change-missing', 'pending']);
    const [change] = changes('access.changed');
    expect(memory.table.get(accessKey)).toMatchObject({ status: 'disabled', statusChangeId: change?.id });
    expect(memory.table.get(userKey)).toMatchObject({ lastChangeId: change?.id });
  });

  test('that grants nothing which has expired since', async () => {
    await lose(() => assign('2026-11-20T19:00:30.000Z'));
    jest.setSystemTime(new Date('2026-11-20T19:01:00.000Z'));
    expect(await repair()).toContain('change-missing');
    expect(changes('role.assigned')).toEqual([]);
  });
});

test('a change of a name that is applied late leaves the user at the later change of an access', async () => {
  await tear(() => updateUser({ userId, displayName: 'Ada Lovelace' }, context), isChange);
  jest.setSystemTime(new Date('2026-11-20T19:00:10.000Z'));
  await block();
  const [blocked] = changes('access.changed');
  expect((await repair()).filter((kind) => kind === 'state-behind')).toHaveLength(1);
  expect(memory.table.get(userKey)).toMatchObject({ displayName: 'Ada Lovelace', lastChangeId: blocked?.id });
});
