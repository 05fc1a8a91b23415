import { writeArchive } from '#shared/archive/history-archive.ts';
import {
  leavesGaps,
  type Verification,
  type VerificationContext,
  verificationOf,
} from '#shared/archive/verification.ts';
import type { Change } from '#shared/contract/change.ts';
import type { verifyChangesOperation } from '#shared/contract/history.ts';
import type { BodyInput } from '#shared/contract/operation.ts';
import type { KnownNames } from '#shared/csv/change-table.ts';
import { checkChains } from '#shared/integrity/check-chains.ts';
import { findChanged } from '#shared/integrity/find-changed.ts';
import type { Writer } from '../api/create-writer.ts';

export interface ArchiveRequest {
  /** As records, without what only an operator reads. */
  readonly changes: readonly Change[];
  readonly names: KnownNames;
  readonly context: Omit<VerificationContext, 'verifiedAt'>;
  readonly newWriter: () => Writer;
  readonly signal: AbortSignal;
  /** Called after each request with the number of requests so far. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Verifies changes and puts them into an archive with the result. The service verifies the MACs, because only it has the keys; it
 * gets the changes as it has just sent them. The chains are followed here.
 */
export async function createVerifiedArchive(
  request: ArchiveRequest,
): Promise<{ readonly file: Uint8Array<ArrayBuffer>; readonly verification: Verification }> {
  const { changes, names, context, newWriter, signal, onProgress } = request;
  const changed = await findChanged(changes, {
    prepare: (change) => change,
    ask: async (posted) => {
      const body = { changes: [...posted] } as BodyInput<typeof verifyChangesOperation>;
      return (await newWriter()('verify-changes', { body, signal })).items;
    },
    onRequest: onProgress,
  });
  const { selection } = context;
  const checked = checkChains(changes, changed, { appId: selection.appId, isSelection: leavesGaps(selection) });
  const verification = verificationOf({ verifiedAt: new Date().toISOString(), ...context }, changes, checked);
  return { file: writeArchive({ changes, names, verification }), verification };
}
