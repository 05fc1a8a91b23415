import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId, ConnectionId, RoleName } from '#shared/contract/fields.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { applicationItem, roleItem } from '#test/support/table-items.ts';
import { issueConnectionKey } from '../../server/connection-keys.ts';
import { createConnection, type NewConnection, updateConnection } from '../../server/connections.ts';

const memory = tableForEachTest(Date.parse('2026-11-20T19:00:00.000Z'));
const connectionId = 'okta' as ConnectionId;
const billing = 'billing' as AppId;
const editor = 'editor' as RoleName;
const groupRoles = [{ group: 'Editors', appId: billing, role: editor }];

beforeEach(() => {
  memory.put(applicationItem({ appId: billing }));
  memory.put(roleItem({ appId: billing, role: editor }));
});

function create(settings: Partial<NewConnection> = {}) {
  const directory = { connectionId, kind: 'scim', name: 'Okta', applications: [billing] } as const;
  return createConnection({ ...directory, userIdAttribute: 'externalId', ...settings }, operator);
}
const refusal = async (settings: Partial<NewConnection>) =>
  create(settings).then(
    () => 'accepted',
    (error) => error.options.field?.name ?? error.code,
  );

test('a directory takes over nobody unless its connection says so, and may have no application', async () => {
  expect(await create({ applications: [] })).toMatchObject({
    kind: 'scim',
    userIdAttribute: 'externalId',
    takeover: 'none',
    applications: [],
    groupRoles: [],
  });
});

test('what a directory is told about groups is in its history as it was given', async () => {
  const created = await create({ groupRoles, takeover: 'matching' });
  expect(created).toMatchObject({ groupRoles, takeover: 'matching' });
  const updated = await updateConnection({ connectionId, groupRoles: [] }, operator);
  expect([updated.changed, updated.groupRoles, updated.userIdAttribute]).toEqual([true, [], 'externalId']);
  const changes = memory.table.items().filter(({ action }) => String(action).startsWith('connection.'));
  const texts = changes.filter(({ after }) => after).map(({ after }) => (after as { groupRoles: string }).groupRoles);
  expect(texts.sort()).toEqual(['[["Editors","billing","editor"]]', '[]'].sort());
});

describe('what is refused', () => {
  test('settings of the other kind', async () => {
    expect(await refusal({ trustsUserHeader: true })).toBe('trustsUserHeader');
    expect(await refusal({ issuer: 'https://login.example.com', audience: 'a' })).toBe('issuer');
    const gateway = { kind: 'evaluate', userIdAttribute: null } as const;
    expect(await refusal({ ...gateway, userIdAttribute: 'email' })).toBe('userIdAttribute');
    expect(await refusal({ ...gateway, takeover: 'matching' })).toBe('takeover');
    expect(await refusal({ ...gateway, groupRoles })).toBe('groupRoles');
    expect(await refusal({ ...gateway, applications: [] })).toBe('applications');
  });

  test('a directory that does not say which attribute names users', async () => {
    expect(await refusal({ userIdAttribute: null })).toBe('userIdAttribute');
  });

  test('roles of applications that the connection does not name, and roles that do not exist', async () => {
    expect(await refusal({ groupRoles, applications: [] })).toBe('groupRoles');
    const unknown = [{ group: 'Editors', appId: billing, role: 'owner' as RoleName }];
    expect(await refusal({ groupRoles: unknown })).toBe('groupRoles');
    await create({ groupRoles });
    const update = updateConnection({ connectionId, applications: [] }, operator);
    await expect(update).rejects.toMatchObject({ options: { field: { name: 'groupRoles' } } });
  });
});

describe('the scopes of a key', () => {
  const issue = async (scopes?: readonly ('users:write' | 'access:read')[]) =>
    (await issueConnectionKey({ connectionId, scopes, expiresAt: null, label: null }, operator)).scopes;

  test('are by default all of the kind of its connection', async () => {
    await create();
    expect(await issue()).toEqual(['users:write', 'roles:write']);
    expect(await issue(['users:write'])).toEqual(['users:write']);
  });

  test('cannot be those of another kind', async () => {
    await create();
    await expect(issue(['users:write', 'access:read'])).rejects.toMatchObject({
      options: { field: { name: 'scopes' } },
    });
  });
});
