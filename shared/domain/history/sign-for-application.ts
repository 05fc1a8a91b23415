import type { ApplicationChange, Change } from '#shared/contract/change.ts';
import { log } from '#shared/core/telemetry.ts';
import { signChange } from '#shared/integrity/change-signature.ts';
import { latestSigningKey } from '#shared/keys/signing-keys.ts';
import { type ChangeReader, changeForApplication } from './change-for-application.ts';
import { verdictOn } from './verify-changes.ts';

/**
 * Changes as an application reads them, signed in that form. One whose own MAC is not valid has no signature: signing it
 * would vouch for what somebody wrote into the table.
 */
export async function signForApplication(
  changes: readonly Change[],
  reader: ChangeReader,
): Promise<ApplicationChange[]> {
  if (changes.length === 0) return [];
  const key = await latestSigningKey();
  return Promise.all(
    changes.map(async (change) => {
      const shown = changeForApplication(change, reader);
      const verdict = await verdictOn({ ...change });
      if (verdict === 'unchanged') return signChange(shown, key);
      log.error('A change in the feed is not signed, because its MAC cannot be verified', { id: change.id, verdict });
      return shown;
    }),
  );
}
