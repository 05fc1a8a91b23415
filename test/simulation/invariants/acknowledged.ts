import { type CallRecord, hasLateAttempt } from '../clients.ts';
import { type Answer, actions } from '../operations.ts';
import type { Run } from '../run-seed.ts';
import type { CommittedChange, StoredChange } from '../stored-state.ts';

/** Returns the Changes that a call made directly: a deletion's sweep makes others. */
export function effectsOf(
  { operation, input, attempts, replays }: CallRecord,
  changes: readonly CommittedChange[],
): CommittedChange[] {
  const requestIds = new Set([...attempts, ...replays].map(({ requestId }) => requestId));
  const { changeId } = input as { readonly changeId?: string };
  const isMade = ({ action, undoOf }: StoredChange) =>
    operation === 'undo-change' ? undoOf === changeId : action === actions[operation] && undoOf === undefined;
  return changes.filter(({ change }) => requestIds.has(change.requestId) && isMade(change));
}

/** Checks that each response agrees with what was committed. */
export function checkAcknowledged({ calls, changes }: Run): string[] {
  return calls.flatMap((call) => {
    const { id, operation, outcome } = call;
    if (outcome === undefined || actions[operation] === undefined) return [];
    const effects = effectsOf(call, changes);
    const wrong = disagreement(call, outcome, effects);
    return wrong === undefined ? [] : [`${id} ${operation}: ${wrong}`];
  });
}

function disagreement(call: CallRecord, outcome: Answer, effects: readonly CommittedChange[]): string | undefined {
  const [effect] = effects;
  if (outcome.kind === 'failed') return undefined;
  if (outcome.kind === 'refused') {
    return effect === undefined || isUnknown(call, outcome)
      ? undefined
      : `was refused (${outcome.code}), but took effect`;
  }
  const { changed = true, version } = outcome.body;
  if (changed === false) {
    return effect === undefined || hasLateAttempt(call) ? undefined : 'was answered as unchanged, but took effect';
  }
  // A deletion that another call started is also answered as a change.
  if (effect === undefined) return call.operation === 'delete-user' ? undefined : 'was acknowledged, but is missing';
  const stored = effect.change.after?.version;
  // A webhook counts its own versions, and its Changes those of the application.
  if (effect.change.webhookId !== undefined) return undefined;
  if (version === undefined || stored === undefined || stored === version) return undefined;
  return `was acknowledged as version ${version}, but is version ${stored}`;
}

/** Whether the error leaves the outcome of the call unknown. */
function isUnknown(call: CallRecord, { status, code }: Answer & { kind: 'refused' }): boolean {
  // A key that was revoked between two attempts, or after a copy that overtook the only one, does not learn the outcome.
  const { attempts, replays } = call;
  const isRevoked = status === 401 && attempts.length + replays.length > 1;
  // The copy of a request may overtake it, and the two are indistinguishable.
  const isReplayed = code === 'nonce_replayed' && replays.length > 0;
  const isLimited = status === 429 && attempts.length > 1;
  return status === 503 || isRevoked || isLimited || isReplayed || hasLateAttempt(call);
}
