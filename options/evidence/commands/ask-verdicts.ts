import type { CommandContext } from '#cli/service/command-context.ts';
import type { verifyChangesOperation } from '#shared/contract/history.ts';
import type { BodyInput } from '#shared/contract/operation.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import type { Finding } from '#shared/integrity/check-chains.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { findChanged } from '../find-changed.ts';

/** A progress line is printed after this many requests. */
const noteRequests = 20;

/** The changes that the service did not write: it has the keys, and gets no personal data. */
export function findChangedBy(
  { client, terminal }: CommandContext,
  changes: readonly ExportedChange[],
): Promise<Finding[]> {
  return findChanged(changes, {
    prepare: redactChange,
    ask: async (posted) => {
      const body = { changes: [...posted] } as BodyInput<typeof verifyChangesOperation>;
      return (await client.call('verify-changes', { body })).items;
    },
    onRequest: (done, total) => {
      if (done % noteRequests === 0) terminal.note(`Verified the MACs: request ${done} of ${total} …`);
    },
  });
}
