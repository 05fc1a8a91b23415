import { beforeEach, expect, jest, test } from '@jest/globals';
import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { checkChains } from '#shared/integrity/check-chains.ts';
import { describeRepair, repairPage } from '#test/support/repair-pages.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { issueConnectionKey, revokeConnectionKey } from '../../server/connection-keys.ts';
import { createConnection, getConnection, updateConnection } from '../../server/connections.ts';
import { deleteConnection } from '../../server/delete-connection.ts';

const memory = tableForEachTest();
const [appId, wiki] = ['billing' as AppId, 'wiki' as AppId];
const connectionId = 'gateway' as ConnectionId;
const key = { pk: `CONNECTION#${connectionId}`, sk: 'CONNECTION' };

type Stored = Record<string, unknown> & { readonly pk: string; readonly sk: string };
const items = () => memory.table.items() as Stored[];
const item = () => memory.table.get(key);

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  await createApplication({ appId: wiki, name: 'Wiki' }, context);
});

async function repair(dryRun = false): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const repairing = repairPage({ limit: 50, cursor }, { ...context, dryRun });
    const [page] = await Promise.all([repairing, jest.runAllTimersAsync()]);
    found.push(...page.findings.map(({ kind, connectionId: of }) => `${kind} ${of}`));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** What a takeover loses of a write: the connection's item, or its change with what belongs to it. */
async function lose(what: 'item' | 'change', write: () => Promise<unknown>): Promise<void> {
  const before = new Map(items().map((each) => [`${each.pk} ${each.sk}`, each]));
  await write();
  for (const each of items()) {
    const earlier = before.get(`${each.pk} ${each.sk}`);
    const isItem = each.pk === key.pk && each.sk === key.sk;
    if (JSON.stringify(earlier) === JSON.stringify(each) || isItem !== (what === 'item')) continue;
    if (earlier !== undefined) memory.put(earlier);
    else memory.table.writeAll([{ kind: 'Delete', input: { Key: { pk: each.pk, sk: each.sk } } }]);
  }
}

const create = () =>
  createConnection({ connectionId, kind: 'evaluate', name: 'Gateway', applications: [appId] }, context);
const issue = () =>
  issueConnectionKey({ connectionId, scopes: ['access:read'], expiresAt: null, label: 'nginx' }, context);
const update = () => updateConnection({ connectionId, name: 'Renamed', applications: [appId, wiki] }, context);
const actions = async () => {
  const { items: changes } = await listAllChanges({ limit: 100, connectionId });
  expect(checkChains(changes, [], {}).findings).toEqual([]);
  return changes.map(({ action }) => action).toReversed();
};

describeRepair('a connection that lost its item or a change', () => {
  test('whose item did not come is created again', async () => {
    await lose('item', create);
    expect(await repair(true)).toEqual(['state-behind gateway']);
    expect(item()).toBeUndefined();
    expect(await repair()).toEqual(['state-behind gateway']);
    expect(await getConnection({ connectionId })).toMatchObject({ name: 'Gateway', applications: [appId], version: 1 });
    expect(await repair()).toEqual([]);
  });

  test('whose update, new key or deletion did not come gets it', async () => {
    await create();
    const whole = new Map<string, unknown>();
    for (const [name, write] of Object.entries({
      update,
      issue,
      remove: () => deleteConnection({ connectionId }, context),
    })) {
      await lose('item', write);
      expect([name, await repair()]).toEqual([name, ['state-behind gateway']]);
      whole.set(name, item());
      expect(await repair()).toEqual([]);
    }
    expect(whole.get('update')).toMatchObject({ name: 'Renamed', applications: [appId, wiki], version: 2 });
    const { keys } = whole.get('issue') as { keys: object };
    expect(Object.values(keys)).toMatchObject([{ scopes: ['access:read'], label: 'nginx', revokedAt: null }]);
    expect(whole.get('remove')).toMatchObject({ deleting: true, keys: {} });
    await expect(getConnection({ connectionId })).rejects.toMatchObject({ code: 'connection_not_found' });
  });

  test('whose changes did not come gets them recorded, in one chain', async () => {
    await lose('change', create);
    expect(await repair()).toEqual(['change-missing gateway']);
    await lose('change', update);
    expect(await repair()).toEqual(['change-missing gateway']);
    const { keyId } = await issue();
    await lose('change', () => revokeConnectionKey({ connectionId, keyId }, context));
    expect(await repair()).toEqual(['change-missing gateway']);
    await lose('change', () => deleteConnection({ connectionId }, context));
    expect(await repair()).toEqual(['change-missing gateway']);
    expect(await actions()).toEqual([
      'connection.created',
      'connection.updated',
      'key.issued',
      'key.revoked',
      'connection.deleted',
    ]);
    expect(await repair()).toEqual([]);
  });
});
