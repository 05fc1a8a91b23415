import type { Run } from '../run-seed.ts';

/** Checks that faults of the environment result in 503; a 500 is a defect. */
export function checkErrors({ calls, directories = [], events }: Run): string[] {
  const failed = calls.flatMap(({ operation, attempts, replays }) =>
    [...attempts, ...replays].flatMap(({ requestId, answer }) =>
      answer?.kind === 'failed' ? [`${requestId} ${operation}: ${answer.error}`] : [],
    ),
  );
  const failedRequests = directories
    .flatMap((directory) => directory.calls)
    .flatMap(({ method, path, attempts }) =>
      attempts.flatMap(({ requestId, answer }) =>
        answer !== undefined && (answer.status < 200 || (answer.status >= 500 && answer.status !== 503))
          ? [`${requestId} ${method} ${path}: ${JSON.stringify(answer)}`]
          : [],
      ),
    );
  return [...failed, ...failedRequests, ...events.errors];
}
