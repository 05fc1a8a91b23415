import { recordOf } from '#shared/contract/change.ts';
import type { ChangeVerdict, PostedChange } from '#shared/contract/history.ts';
import { isChangeMacValid } from '#shared/integrity/change-mac.ts';
import { type ChangeRecord, redactChange } from '#shared/integrity/redact-change.ts';
import { chainKey } from '#shared/keys/chain-keys.ts';

/** Checks whether each Change of an export is as the service wrote it, whole or redacted. Reads no table. */
export async function verifyChanges(changes: readonly PostedChange[]): Promise<ChangeVerdict[]> {
  return Promise.all(changes.map(async (change) => ({ id: change.id, verdict: await verdictOn(recordOf(change)) })));
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
