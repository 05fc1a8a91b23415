import { type BulkOutcome, batchesOf, outcomeAfter } from '#shared/contract/bulk.ts';
import { isUnanswered, toProblem } from '../api/problem-error.ts';

const maxConcurrency = 3;
const maxAttempts = 3;
interface BatchesOptions<Result> {
  /** When aborted, no further batch is sent; those in progress finish. */
  readonly signal?: AbortSignal | undefined;
  readonly onResults?: (results: readonly Result[]) => void;
}

/** Sends batches, several concurrently; returns the results of those that were sent, in order. */
export async function inBatches<Result, Item = string>(
  items: readonly Item[],
  send: (batch: readonly Item[]) => Promise<readonly Result[]>,
  { signal, onResults }: BatchesOptions<Result> = {},
): Promise<Result[]> {
  const results: (readonly Result[])[] = [];
  const waiting = batchesOf(items).entries();
  const work = async () => {
    for (const [index, batch] of waiting) {
      if (signal?.aborted) return;
      const answered = await send(batch);
      results[index] = answered;
      onResults?.(answered);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrency }, work));
  return results.flat();
}

/**
 * The outcomes of a batch of users who need the change. Those for whom the service is unavailable are retried, and fail after
 * three attempts.
 */
export async function outcomesOf(
  userIds: readonly string[],
  send: (userIds: readonly string[]) => Promise<readonly BulkOutcome[]>,
): Promise<readonly BulkOutcome[]> {
  const known = new Map<string, BulkOutcome>();
  let waiting = userIds;
  for (let attempt = 1; attempt <= maxAttempts && waiting.length > 0; attempt++) {
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, 1000 * (attempt - 1)));
    for (const outcome of await attemptOf(waiting, send)) {
      known.set(outcome.userId, outcomeAfter(known.get(outcome.userId), outcome));
    }
    waiting = waiting.filter((userId) => known.get(userId)?.problem?.code === 'unavailable');
  }
  return userIds.flatMap((userId) => known.get(userId) ?? []);
}

async function attemptOf(
  userIds: readonly string[],
  send: (userIds: readonly string[]) => Promise<readonly BulkOutcome[]>,
): Promise<readonly BulkOutcome[]> {
  try {
    return await send(userIds);
  } catch (error) {
    const { code, message: detail } = toProblem(error as Error);
    const problem = { code: isUnanswered(error as Error) ? 'unavailable' : code, detail };
    return userIds.map((userId) => ({ userId, outcome: 'failed', problem }));
  }
}
