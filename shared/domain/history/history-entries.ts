import { log } from '#shared/core/telemetry.ts';
import { type Item, maxTransactEntries, readItems, transact } from '#shared/table/client.ts';
import {
  changeOf,
  changeOfRecord,
  keyOfRecord,
  type StreamRecord,
  sequenceNumberOf,
  ttlOfRecord,
} from '#shared/table/items/change-item.ts';
import { putHistoryEntries, type StoredChange } from '#shared/table/items/history-item.ts';
import { historyEntryKey, type Key } from '#shared/table/keys.ts';
import { retryOnConflict } from '../request/optimistic-locking.ts';
import { digestsOfCaller } from './caller-names.ts';

/** Per change: a condition that the change still exists, and the entry. */
const entriesPerChange = 2;
const maxPerTransaction = maxTransactEntries / entriesPerChange;

/**
 * Adds the changes of a stream batch to the global history. Returns the sequence number from which the
 * batch must be read again, undefined when all are added. Skips records without a valid change, which have a notice.
 */
export async function addToHistory(records: readonly StreamRecord[]): Promise<string | undefined> {
  const changes = records.flatMap((record) => storedChangeOf(record) ?? []);
  for (let from = 0; from < changes.length; from += maxPerTransaction) {
    const part = changes.slice(from, from + maxPerTransaction);
    try {
      await writeEntries(part);
    } catch (error) {
      log.error('Changes could not be added to the global history', { waiting: changes.length - from, error });
      return part[0]?.sequenceNumber;
    }
  }
  return undefined;
}

function storedChangeOf(record: StreamRecord): (StoredChange & { readonly sequenceNumber: string }) | undefined {
  try {
    const { pk, sk } = keyOfRecord(record);
    const change = changeOfRecord(record);
    return pk === undefined || sk === undefined
      ? undefined
      : { change, key: { pk, sk }, ttl: ttlOfRecord(record), sequenceNumber: sequenceNumberOf(record) };
  } catch {
    return undefined;
  }
}

/** Adds stored changes that the global history lacks. Returns their number. */
export async function addMissingToHistory(items: readonly (Item & Key)[]): Promise<number> {
  const changes = items.map((item) => ({ change: changeOf(item), key: item, ttl: item.ttl }));
  const found = await readItems(changes.map(({ change }) => historyEntryKey(change.id)));
  const missing = changes.filter((_, at) => found[at] === undefined);
  for (let from = 0; from < missing.length; from += maxPerTransaction) {
    await writeEntries(missing.slice(from, from + maxPerTransaction));
  }
  return missing.length;
}

/** Skips changes that have since been deleted. */
async function writeEntries(changes: readonly StoredChange[]): Promise<void> {
  let waiting = changes;
  await retryOnConflict(async () => {
    while (waiting.length > 0) {
      const outcome = await transact(
        waiting.flatMap((change) => putHistoryEntries(change, digestsOfCaller(change.change.caller))),
      );
      if (outcome.kind !== 'refused') return outcome.kind === 'conflict' ? 'conflict' : undefined;
      waiting = waiting.filter((_, at) => !outcome.failed.has(at * entriesPerChange));
    }
    return undefined;
  });
}
