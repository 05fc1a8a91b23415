import type { Change } from '#shared/contract/change.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { ArchiveRequest, WrittenArchive } from '#shared/csv/change-archive.ts';
import type { KnownNames } from '#shared/csv/change-table.ts';
import { checkChains, type Finding } from '#shared/integrity/check-chains.ts';
import { findChanged } from './find-changed.ts';
import { writeArchive } from './history-archive.ts';
import { leavesGaps, type Verification, type VerificationContext, verificationOf } from './verification.ts';

/**
 * Verifies changes and puts them into an archive with the result. The service verifies the MACs, because only it has the keys; it
 * gets the changes as it has just sent them.
 */
export async function verifyAndArchive(request: ArchiveRequest): Promise<WrittenArchive> {
  const { changes, names, ask, now, say } = request;
  const count = countOf(changes.length, 'change');
  say(`Verifying ${count}…`);
  const changed = await findChanged(changes, {
    prepare: (change) => change,
    ask,
    onRequest: (done, total) => say(`Verifying ${count}: request ${done} of ${total}…`),
  });
  const context = { verifiedAt: now().toISOString(), ...request.context };
  const { bytes, verification } = createVerifiedArchive({ changes, changed, names, context });
  const { isSound, sentences } = verification;
  const result = isSound ? 'All are as the service wrote them.' : `The verification failed. ${sentences.join(' ')}`;
  return { bytes, isSound, summary: `Exported and verified ${count}. ${result}` };
}

/** The changes of an archive, of which `changed` are those that the service did not write. */
export interface JudgedChanges {
  readonly changes: readonly Change[];
  readonly changed: readonly Finding[];
  readonly names: KnownNames;
  readonly context: VerificationContext;
}

/** Follows the chains, and writes the archive with what was found. */
export function createVerifiedArchive({ changes, changed, names, context }: JudgedChanges): {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly verification: Verification;
} {
  const { selection } = context;
  const checked = checkChains(changes, changed, { appId: selection.appId, isSelection: leavesGaps(selection) });
  const verification = verificationOf(context, changes, checked);
  return { bytes: writeArchive({ changes, names, verification }), verification };
}
