import type { Change } from '#shared/contract/change.ts';
import { ulidPattern } from '#shared/contract/ulid.ts';
import { isGenuine } from '#shared/domain/history/verify-changes.ts';
import { type Item, queryItems } from '#shared/table/client.ts';
import { isInPlace, readableChangeOf } from '#shared/table/items/change-item.ts';
import type { Key, Range } from '#shared/table/key.ts';
import { newestChanges } from './compare-chain.ts';
import { repairedResources } from './registered-repairs.ts';
import type { RepairRun } from './repair-run.ts';

/** A Change with the key of its item. */
export interface KeptChange {
  readonly key: Key;
  readonly change: Change;
}

/** The newest Changes in a partition. */
export interface PartitionChanges {
  /** The Changes that the service wrote, oldest first. Only these are repaired from. */
  readonly kept: readonly KeptChange[];
  /** The MACs and ids of the others, which are named: an item that names one of them is left as it is. */
  readonly forged: ReadonlySet<string>;
  /** The keys of the others. */
  readonly forgedKeys: readonly Key[];
}

/** Forged Changes cannot hide the newest of the service behind them, unless there are thousands. */
const maxPages = 10;

/** Reads the newest Changes of a descending range, strongly consistent, and names those that the service did not write there. */
export async function readGenuineChanges(range: Range, run: RepairRun): Promise<PartitionChanges> {
  const kept: KeptChange[] = [];
  const forged = new Set<string>();
  const forgedKeys: Key[] = [];
  let after: Item | undefined;
  for (let page = 1; page <= maxPages && kept.length < newestChanges; page++) {
    const { items, next } = await queryItems(range, { limit: newestChanges, after });
    const read = await Promise.all(items.map(async (item) => ({ item, change: await genuineChangeOf(item, run) })));
    for (const { item, change } of read) {
      const key = { pk: item.pk, sk: item.sk };
      if (change !== undefined) kept.push({ key, change });
      else {
        forgedKeys.push(key);
        for (const name of [item.id, Object(item.integrity).mac]) forged.add(String(name));
      }
    }
    if (next === undefined) break;
    after = next;
  }
  kept.sort((one, other) => (one.change.id < other.change.id ? -1 : 1));
  return { kept, forged, forgedKeys };
}

/** The Change of an item, if the service wrote it there; otherwise names it. */
async function genuineChangeOf(item: Item & Key, run: RepairRun): Promise<Change | undefined> {
  const change = readableChangeOf(item);
  if (change !== undefined && isInPlace(change, item) && (await isGenuine(change))) return change;
  run.note('change-forged', subjectOf(item));
  return undefined;
}

/** Whose history an item is in, by its key: what it says of itself is not known to be true. */
function subjectOf({ pk, sk }: Key) {
  const [kind, id = ''] = pk.split('#');
  const changeId = sk.split('#').at(-1) ?? '';
  return {
    ...(kind === 'USER' && { userId: id }),
    ...(kind === 'APP' && { appId: id }),
    ...repairedResources.find(({ partitions }) => partitions[0] === kind)?.subjectOf(id),
    ...(ulidPattern.test(changeId) && { changeId }),
  };
}
