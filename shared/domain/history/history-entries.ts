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

/** For each, the change must still be there. */
const entriesEach = 2;
const maxPerTransaction = maxTransactEntries / entriesEach;

/**
 * Lists the changes of a batch of the stream in the history over all. Answers the sequence number from which the
 * batch must be read again, undefined when all are listed; a record that holds no change is passed over, as its notice says enough.
 */
export async function listInHistory(records: readonly StreamRecord[]): Promise<string | undefined> {
  const changes = records.flatMap((record) => storedChangeOf(record) ?? []);
  for (let from = 0; from < changes.length; from += maxPerTransaction) {
    const part = changes.slice(from, from + maxPerTransaction);
    try {
      await writeEntries(part);
    } catch (error) {
      log.error('Changes could not be listed in the history over all', { waiting: changes.length - from, error });
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

/** Lists stored changes that are not in the history over all. Answers how many there were. */
export async function listMissing(items: readonly (Item & Key)[]): Promise<number> {
  const changes = items.map((item) => ({ change: changeOf(item), key: item, ttl: item.ttl }));
  const found = await readItems(changes.map(({ change }) => historyEntryKey(change.id)));
  const missing = changes.filter((_, at) => found[at] === undefined);
  for (let from = 0; from < missing.length; from += maxPerTransaction) {
    await writeEntries(missing.slice(from, from + maxPerTransaction));
  }
  return missing.length;
}

/** Leaves out changes that are gone meanwhile. */
async function writeEntries(changes: readonly StoredChange[]): Promise<void> {
  let waiting = changes;
  await retryOnConflict(async () => {
    while (waiting.length > 0) {
      const outcome = await transact(
        waiting.flatMap((change) => putHistoryEntries(change, digestsOfCaller(change.change.caller))),
      );
      if (outcome.kind !== 'refused') return outcome.kind === 'conflict' ? 'conflict' : undefined;
      waiting = waiting.filter((_, at) => !outcome.failed.has(at * entriesEach));
    }
    return undefined;
  });
}
