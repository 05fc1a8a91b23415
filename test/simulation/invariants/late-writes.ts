import type { Run } from '../run-seed.ts';
import { bounds } from '../swarm.ts';

/**
 * Checks that a request's changes are committed before its response, or soon after if the response said that the
 * outcome was unknown. Nothing is sent after its deadline, not even retries of the SDK.
 */
export function checkLateWrites({ calls, actors, changes, lateSends }: Run): string[] {
  const requests = calls.flatMap(({ attempts, replays }) => [...attempts, ...replays]);
  const ofActors = actors.flatMap((actor) => actor.requests?.() ?? []);
  const byId = new Map([
    // In a bulk, the outcome for some users may be unknown.
    ...requests.map(({ requestId, answeredAt, answer }): [string, Answered] => [
      requestId,
      { answeredAt, isKnown: answer?.kind === 'done' && !JSON.stringify(answer.body).includes('"unavailable"') },
    ]),
    ...ofActors.map(({ requestId, ...answered }): [string, Answered] => [requestId, answered]),
  ]);
  const lateWrites = changes.flatMap(({ change, at }) => {
    const { answeredAt, isKnown } = byId.get(change.requestId) ?? {};
    if (answeredAt === undefined) return [];
    const late = at - answeredAt;
    if (late <= (isKnown ? 0 : bounds.flightMilliseconds)) return [];
    return [`${change.requestId} ${change.action} was committed ${Math.round(late)} ms after its answer`];
  });
  return [...lateSends, ...lateWrites];
}

interface Answered {
  readonly answeredAt: number | undefined;
  /** Whether the response says that everything is done. */
  readonly isKnown: boolean;
}
