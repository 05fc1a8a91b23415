import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { oldestRepairedFormat, tableFormat, tableFormatKey } from '#shared/contract/table-format.ts';
import { getAccess } from '#shared/domain/access/read-access.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { listUsers } from '#shared/domain/user/users.ts';
import { chainChange } from '#shared/integrity/change-mac.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { repairTable } from '../../server/repair-table.ts';

/*
 * The items of a table of format 1 as the release of 24 November 2026 wrote them: Zoe with a role, Max with a block, Ann with a block
 * that ends, Eve who is inactive, an application with a role and a key, and 11 changes.
 */

const appId = 'wiki' as AppId;
const memory = tableForEachTest(Date.parse('2026-11-24T12:00:00.000Z'));
type Stored = Record<string, unknown> & { readonly pk: string; readonly sk: string };
const written: readonly Stored[] = JSON.parse(readFileSync(join(import.meta.dirname, 'format-1.json'), 'utf8'));

/** The items with MACs by the key of this run. */
async function itemsWithMacs(): Promise<Stored[]> {
  const key = await latestChainKey();
  const macs = new Map<unknown, string>();
  const isChange = ({ sk }: Stored) => sk.startsWith('CHANGE#');
  const changes = written.filter(isChange).sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
  const rechained = changes.map((item) => {
    const { pk, sk, gsi1pk, gsi1sk, ttl, integrity, ...record } = item as unknown as Change & Stored;
    const { salt = '', previous, mac } = integrity;
    const change = chainChange(record, { previous: macs.get(previous) ?? null, salt }, key);
    macs.set(mac, change.integrity.mac);
    return { ...item, integrity: change.integrity };
  });
  const others = written.filter((item) => !isChange(item));
  return [
    ...rechained,
    ...others.map((item) => ({
      ...item,
      ...(item.chainHead !== undefined && { chainHead: macs.get(item.chainHead) }),
    })),
  ];
}

beforeEach(async () => {
  memory.put(...(await itemsWithMacs()));
});

async function repair(dryRun = false): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const [page] = await Promise.all([
      repairTable({ limit: 7, cursor }, { ...context, dryRun }),
      jest.runAllTimersAsync(),
    ]);
    found.push(...page.findings.map(({ kind, repaired }) => (repaired ? kind : `${kind} (cannot be repaired)`)));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return [...new Set(found)].sort();
}

const idsOf = ({ items }: { readonly items: readonly { readonly userId: string }[] }) =>
  items.map(({ userId }) => userId);
const users = async () => idsOf(await listUsers({ prefix: '', limit: 10 }));
const inactive = async () => idsOf(await listUsers({ prefix: '', status: 'inactive', limit: 10 }));
const changes = async () => (await listAllChanges({ limit: 100 })).items;
const snapshot = async () => {
  const { items } = await readSnapshot({ appId, limit: 100 }, context);
  return items.map(({ kind, userId }) => `${kind} ${userId}`);
};

test('after a repair every list, the snapshot, the history and the counters have what a table of format 1 has', async () => {
  expect(await repair()).toEqual([
    'block-end',
    'counters',
    'feed',
    'inactive-mark',
    'index-entry',
    'search-words',
    'table-format',
    'user-list',
  ]);
  expect(await users()).toEqual(['ann', 'eve', 'max', 'zoe']);
  expect(await inactive()).toEqual(['eve']);
  expect(await changes()).toHaveLength(11);
  expect(await snapshot()).toEqual(['inactive eve', 'access ann', 'access max', 'access zoe']);
  expect(await getAccess({ userId: 'eve' as UserId, appId }, context)).toMatchObject({ effectiveStatus: 'disabled' });
  expect(memory.table.get(tableFormatKey)).toEqual({ ...tableFormatKey, format: tableFormat });
  expect(await repair()).toEqual([]);
});

test('a dry run names the same, and writes nothing', async () => {
  const before = memory.table.items();
  expect(await repair(true)).toEqual(
    expect.arrayContaining(['inactive-mark', 'index-entry', 'table-format', 'user-list']),
  );
  expect(memory.table.items()).toEqual(before);
});

test('a user whom no list names, and of whom no change is left, is found by the table itself', async () => {
  await repair();
  for (const { pk, sk } of memory.table.items() as Stored[]) {
    const isNamed = [pk, sk].includes('eve') || pk.startsWith('FIND#ev') || (pk === 'USER#eve' && sk !== 'USER');
    if (isNamed) memory.table.writeAll([{ kind: 'Delete', input: { Key: { pk, sk } } }]);
  }
  expect(await inactive()).toEqual([]);
  expect(await repair()).toEqual(expect.arrayContaining(['inactive-mark', 'user-list']));
  expect(await inactive()).toEqual(['eve']);
  expect(await snapshot()).toContain('inactive eve');
});

test('the formats from which a repair leads here begin with the first', () => {
  expect([oldestRepairedFormat, tableFormat]).toEqual([1, 2]);
});
