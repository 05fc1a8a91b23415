import { beforeEach, expect, jest, test } from '@jest/globals';
import { deleteConnection } from '#options/connections/server/delete-connection.ts';
import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import { describeRepair, repairPage } from '#test/support/repair-pages.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { createDirectoryGroup } from '../../server/change-directory-group.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { newDirectory } from '../support/new-directory.ts';

const memory = tableForEachTest();

type Stored = Record<string, unknown> & { readonly pk: string; readonly sk: string };
const items = () => memory.table.items() as Stored[];

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

describeRepair('a directory whose deletion a takeover interrupted', () => {
  const okta = 'okta' as ConnectionId;
  const oktaKey = { pk: `CONNECTION#${okta}`, sk: 'CONNECTION' };
  const account = { pk: 'USER#ada', sk: 'ACCOUNT' };
  const said = () => items().filter(({ pk, sk }) => pk.startsWith('SCIM#okta') || sk === 'ACCOUNT');
  const remove = () => Promise.all([deleteConnection({ connectionId: okta }, context), jest.runAllTimersAsync()]);

  beforeEach(async () => {
    const directory = await newDirectory({ connectionId: okta });
    await provisionUser({ userName: 'ada', externalId: '7', active: true, attributes: {} }, directory);
    await createDirectoryGroup({ displayName: 'Staff', externalId: null, members: ['ada' as UserId] }, directory);
  });

  test('by which only the change came is deleted with its accounts and groups', async () => {
    const before = items();
    await remove();
    const isDeletion = ({ sk, action }: Stored) => sk.startsWith('CHANGE#') && action === 'connection.deleted';
    const deletion = items().filter(isDeletion);
    for (const each of items())
      memory.table.writeAll([{ kind: 'Delete', input: { Key: { pk: each.pk, sk: each.sk } } }]);
    memory.put(...before, ...deletion);
    expect(await repair(true)).toContain('state-behind okta');
    expect(said().length).toBeGreaterThan(0);
    expect(await repair()).toEqual(expect.arrayContaining(['state-behind okta', 'deletion okta']));
    expect([said(), memory.table.get(oktaKey)]).toMatchObject([[], { deleting: true, swept: true }]);
    expect(await repair()).toEqual([]);
  });

  test('by which what it said came back afterwards is deleted again, also an account that no list has', async () => {
    const before = said();
    await remove();
    expect(said()).toEqual([]);
    memory.put(...before);
    expect(await repair()).toEqual(['deletion okta']);
    expect(said()).toEqual([]);
    memory.put(...before.filter(({ sk }) => sk === account.sk));
    expect(await repair()).toEqual(['account okta']);
    expect(said()).toEqual([]);
    expect(await repair()).toEqual([]);
  });
});
