import { type Change, recordOf } from '#shared/contract/change.ts';
import type { ChangeVerdict, PostedChange } from '#shared/contract/history.ts';
import { isChangeMacValid } from '#shared/integrity/change-mac.ts';
import { type ChangeRecord, redactChange } from '#shared/integrity/redact-change.ts';
import { chainKey } from '#shared/keys/chain-keys.ts';
import type { Item } from '#shared/table/client.ts';
import { isInPlace, readableChangeOf } from '#shared/table/items/change-item.ts';
import type { Key } from '#shared/table/key.ts';

/** Checks whether each Change of an export is as the service wrote it, whole or redacted. Reads no table. */
export async function verifyChanges(changes: readonly PostedChange[]): Promise<ChangeVerdict[]> {
  return Promise.all(changes.map(async (change) => ({ id: change.id, verdict: await verdictOn(recordOf(change)) })));
}

/** Whether the service wrote a Change. Fails with 503 if the key service does not respond. */
export async function isGenuine(change: Change): Promise<boolean> {
  return (await verdictOn({ ...change })) === 'unchanged';
}

/** The Changes of items that the service wrote, where it wrote them. */
export async function genuineChangesOf(items: readonly (Item & Key)[]): Promise<Change[]> {
  const found = items.map((item) => ({ item, change: readableChangeOf(item) }));
  const changes = await Promise.all(
    found.map(async ({ item, change }) => {
      const isWritten = change !== undefined && isInPlace(change, item) && (await isGenuine(change));
      return isWritten ? [change] : [];
    }),
  );
  return changes.flat();
}

/** Whether a record is as the service wrote it. Fails with 503 if the key service does not respond. */
export async function verdictOn(change: ChangeRecord): Promise<ChangeVerdict['verdict']> {
  if (change.integrity === undefined) return 'without-mac';
  const redacted = redactChange(change);
  if (redacted === undefined) return 'changed';
  const key = await chainKey(redacted.integrity.root);
  if (key === undefined) return 'unknown-root';
  return isChangeMacValid(redacted, key) ? 'unchanged' : 'changed';
}
