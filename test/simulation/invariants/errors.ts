import type { Run } from '../run-seed.ts';

/** Checks that faults of the environment result in 503; a 500 is a defect. */
export function checkErrors({ calls, actors = [], events }: Run): string[] {
  const failed = calls.flatMap(({ operation, attempts, replays }) =>
    [...attempts, ...replays].flatMap(({ requestId, answer }) =>
      answer?.kind === 'failed' ? [`${requestId} ${operation}: ${answer.error}`] : [],
    ),
  );
  const failedRequests = actors.flatMap((actor) => actor.failures?.() ?? []);
  return [...failed, ...failedRequests, ...events.errors];
}
