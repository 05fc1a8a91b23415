import type { Run } from '../run-seed.ts';
import { bounds } from '../swarm.ts';

/**
 * What a request changes is committed before it is answered; where it was not known, soon after at the latest. Nothing is
 * sent when its time is over, the SDK's retries neither.
 */
export function checkLateWrites({ calls, changes, lateSends }: Run): string[] {
  const requests = calls.flatMap(({ attempts, replays }) => [...attempts, ...replays]);
  const byId = new Map(requests.map((request) => [request.requestId, request]));
  const lateWrites = changes.flatMap(({ change, at }) => {
    const { answeredAt, answer } = byId.get(change.requestId) ?? {};
    if (answeredAt === undefined) return [];
    // Of a list of users, some may be answered that it is not known.
    const isKnown = answer?.kind === 'done' && !JSON.stringify(answer.body).includes('"unavailable"');
    const late = at - answeredAt;
    if (late <= (isKnown ? 0 : bounds.flightMilliseconds)) return [];
    return [`${change.requestId} ${change.action} was committed ${Math.round(late)} ms after its answer`];
  });
  return [...lateSends, ...lateWrites];
}
