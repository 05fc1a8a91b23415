import { beforeEach, expect, jest, test } from '@jest/globals';
import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { deleteItem } from '#shared/table/client.ts';
import type { Key } from '#shared/table/key.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { describeRepair, type RepairFinding, repairPage } from '#test/support/repair-pages.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { createDirectoryGroup } from '../../server/change-directory-group.ts';
import { readDirectoryUser, removeDirectoryUser } from '../../server/change-directory-user.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { accountKey } from '../../table/directory-item-keys.ts';
import { aDirectoryUser, newDirectory } from '../support/new-directory.ts';

const memory = tableForEachTest();
const ada = 'ada' as UserId;
let context: ConnectionContext;
beforeEach(async () => {
  jest.useRealTimers();
  context = await newDirectory({ connectionId: 'okta' as ConnectionId });
  for (const name of ['ada', 'bob', 'dan']) await provisionUser(aDirectoryUser(name), context);
  await createDirectoryGroup({ displayName: 'Staff', externalId: null, members: [ada, 'bob' as UserId] }, context);
  await removeDirectoryUser({ id: 'dan' as UserId }, context);
});

type Place = Key & { readonly userId?: string };
const places = () => memory.table.items().filter(({ pk }) => String(pk).startsWith('SCIM#')) as unknown as Place[];
const named = (items: readonly object[]) =>
  (items as { pk: string; sk: string }[]).map(({ pk, sk }) => `${pk} ${sk}`).sort();

async function repair(nameOf: (finding: RepairFinding) => string = ({ kind }) => kind): Promise<string[]> {
  const kinds: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await repairPage({ limit: 100, cursor }, operator);
    kinds.push(...page.findings.map(nameOf));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return kinds;
}
const findings = async () => [
  ...new Set(await repair(({ kind, userId, connectionId }) => `${kind} ${userId} ${connectionId}`)),
];
const accountFindings = async () => (await repair()).filter((kind) => kind === 'account');

describeRepair('the accounts of a directory', () => {
  test('that are whole stay as they are', async () => {
    const before = named(places());
    expect(await accountFindings()).toEqual([]);
    expect(named(places())).toEqual(before);
  });

  test('get back the places that are missing', async () => {
    const before = named(places());
    for (const place of places()) {
      if (!place.sk.startsWith('GROUP')) await deleteItem(place);
    }
    expect((await accountFindings()).length).toBeGreaterThan(0);
    expect(named(places())).toEqual(before);
  });

  test('whose user the directory has begun to delete are no longer shown as members', async () => {
    let transactions = 0;
    memory.before = ({ command }) => {
      if (command === 'TransactWriteItemsCommand' && ++transactions > 1) throw new Error('cut off');
    };
    await expect(removeDirectoryUser({ id: ada }, context)).rejects.toThrow('cut off');
    memory.before = undefined;
    const members = () => places().filter(({ pk, sk }) => pk.includes('#GROUP#') && sk.startsWith('USER#'));
    const before = members();
    expect(before).toMatchObject([{ userId: 'ada', leaving: true }, { userId: 'bob' }]);
    for (const { pk, sk, userId } of before) memory.put({ pk, sk, userId, ...(userId === 'bob' && { leaving: true }) });
    expect(await accountFindings()).toHaveLength(2);
    expect(members()).toEqual(before);
  });

  test('that are gone leave no places', async () => {
    await deleteItem(accountKey(ada));
    expect((await accountFindings()).length).toBeGreaterThan(0);
    expect(named(places()).filter((name) => name.includes('ada'))).toEqual([]);
    expect(places().filter(({ userId }) => userId === 'ada')).toEqual([]);
    expect((await readDirectoryUser({ id: 'bob' as UserId }, context)).groups).toHaveLength(1);
  });

  test('lose the places that they do not have', async () => {
    const before = named(places());
    memory.put(
      { pk: 'SCIM#okta', sk: 'NAME#old', userId: 'ada' },
      { pk: 'SCIM#okta', sk: 'EMAIL#old#bob', userId: 'bob' },
    );
    expect(await accountFindings()).toHaveLength(2);
    expect(named(places())).toEqual(before);
  });

  test('of a user who was erased and created again are deleted', async () => {
    const item = memory.table.get(userKey(ada));
    memory.put({ ...item, createdAt: '2020-01-01T00:00:00.000Z' });
    await repair();
    expect(memory.table.get(accountKey(ada))).toBeUndefined();
    expect(places().filter(({ userId }) => userId === 'ada')).toEqual([]);
  });

  test('emptied of its groups is named, and nobody leaves a group by it', async () => {
    const before = named(places());
    memory.put({ ...memory.table.get(accountKey(ada)), groups: [] });
    expect(await findings()).toEqual(['account-differs ada okta']);
    expect(named(places())).toEqual(before);
  });

  test('moved to another directory is named, and neither directory gets or loses it', async () => {
    await newDirectory({ connectionId: 'entra' as ConnectionId });
    const before = named(places());
    memory.put({ ...memory.table.get(accountKey(ada)), connectionId: 'entra' });
    expect(await findings()).toEqual(['account-differs ada entra', 'account-differs ada okta']);
    expect(named(places())).toEqual(before);
  });
});
