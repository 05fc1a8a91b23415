import type { Run } from '../run-seed.ts';
import { bounds } from '../swarm.ts';

/**
 * Checks that a request's changes are committed before its response, or soon after if the response said that the
 * outcome was unknown. Nothing is sent after its deadline, not even retries of the SDK.
 */
export function checkLateWrites({ calls, changes, lateSends }: Run): string[] {
  const requests = calls.flatMap(({ attempts, replays }) => [...attempts, ...replays]);
  const byId = new Map(requests.map((request) => [request.requestId, request]));
  const lateWrites = changes.flatMap(({ change, at }) => {
    const { answeredAt, answer } = byId.get(change.requestId) ?? {};
    if (answeredAt === undefined) return [];
    // In a bulk, the outcome for some users may be unknown.
    const isKnown = answer?.kind === 'done' && !JSON.stringify(answer.body).includes('"unavailable"');
    const late = at - answeredAt;
    if (late <= (isKnown ? 0 : bounds.flightMilliseconds)) return [];
    return [`${change.requestId} ${change.action} was committed ${Math.round(late)} ms after its answer`];
  });
  return [...lateSends, ...lateWrites];
}
