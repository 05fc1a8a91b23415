import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { isChangeMacValid } from '#shared/integrity/change-mac.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import type { SeenRequest, StubReply } from '#test/cli/stub-service.ts';
import { chainKey } from '#test/shared/integrity/exported-changes.ts';

/** Answers `POST /changes/verify` like a service with one root. */
export function verdictsOf({ body }: SeenRequest): StubReply {
  const { changes } = body as { changes: ExportedChange[] };
  const items = changes.map((change) => {
    const redacted = redactChange(change);
    if (change.integrity?.root !== 'k1') return { id: change.id, verdict: 'unknown-root' };
    const isValid = redacted !== undefined && isChangeMacValid(redacted, chainKey.key);
    return { id: change.id, verdict: isValid ? 'unchanged' : 'changed' };
  });
  return { body: { items } };
}
