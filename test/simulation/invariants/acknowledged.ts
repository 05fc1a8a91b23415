import type { CallRecord } from '../clients.ts';
import { type Answer, actions } from '../operations.ts';
import type { Run } from '../run-seed.ts';
import type { CommittedChange } from '../stored-state.ts';

/** The Changes that a call made by itself: a deletion's sweep makes others. */
export function effectsOf(
  { operation, attempts, replays }: CallRecord,
  changes: readonly CommittedChange[],
): CommittedChange[] {
  const requestIds = new Set([...attempts, ...replays].map(({ requestId }) => requestId));
  return changes.filter(({ change }) => requestIds.has(change.requestId) && change.action === actions[operation]);
}

/** What a client was told agrees with what was committed, for each call. */
export function checkAcknowledged({ calls, changes }: Run): string[] {
  return calls.flatMap((call) => {
    const { id, operation, outcome } = call;
    if (outcome === undefined || actions[operation] === undefined) return [];
    const effects = effectsOf(call, changes);
    const wrong = disagreement(call, outcome, effects);
    return wrong === undefined ? [] : [`${id} ${operation}: ${wrong}`];
  });
}

function disagreement({ operation, attempts }: CallRecord, outcome: Answer, effects: readonly CommittedChange[]) {
  const [effect] = effects;
  if (outcome.kind === 'refused') {
    // What the client was told says that it is not known.
    if (outcome.status === 503 || effect === undefined) return undefined;
    // A key that was revoked between two attempts is not told what became of the first.
    if (outcome.status === 401 && attempts.length > 1) return undefined;
    return `was refused (${outcome.code}) and took effect`;
  }
  if (outcome.kind === 'failed') return undefined;
  const { changed = true, version } = outcome.body;
  if (changed === false) return effect && 'took effect and was answered as unchanged';
  // A deletion that another one began is answered as a change too.
  if (effect === undefined) return operation === 'delete-user' ? undefined : 'was acknowledged and is not there';
  const stored = effect.change.after?.version;
  if (version === undefined || stored === undefined || stored === version) return undefined;
  return `was acknowledged as version ${version} and is version ${stored}`;
}
