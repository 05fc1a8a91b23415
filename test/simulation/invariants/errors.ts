import type { Run } from '../run-seed.ts';

/** Faults of the surroundings are 503; what would be 500 is a defect. */
export function checkErrors({ calls, events }: Run): string[] {
  const failed = calls.flatMap(({ operation, attempts, replays }) =>
    [...attempts, ...replays].flatMap(({ requestId, answer }) =>
      answer?.kind === 'failed' ? [`${requestId} ${operation}: ${answer.error}`] : [],
    ),
  );
  return [...failed, ...events.errors];
}
