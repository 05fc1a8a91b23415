import { isUnavailable } from '../directory.ts';
import type { Run } from '../run-seed.ts';
import { bounds } from '../swarm.ts';

/**
 * Checks that a request's changes are committed before its response, or soon after if the response said that the
 * outcome was unknown. Nothing is sent after its deadline, not even retries of the SDK.
 */
export function checkLateWrites({ calls, directories, changes, lateSends }: Run): string[] {
  const requests = calls.flatMap(({ attempts, replays }) => [...attempts, ...replays]);
  const scimRequests = directories.flatMap((directory) => directory.calls).flatMap(({ attempts }) => attempts);
  const byId = new Map([
    // In a bulk, the outcome for some users may be unknown.
    ...requests.map(({ requestId, answeredAt, answer }): [string, Answered] => [
      requestId,
      { answeredAt, isKnown: answer?.kind === 'done' && !JSON.stringify(answer.body).includes('"unavailable"') },
    ]),
    ...scimRequests.map(({ requestId, answeredAt, answer }): [string, Answered] => [
      requestId,
      { answeredAt, isKnown: answer !== undefined && !isUnavailable(answer) },
    ]),
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
