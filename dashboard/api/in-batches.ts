import { type BulkOutcome, batchesOf } from '#shared/contract/bulk.ts';
import { outcomeAfter } from '#shared/contract/bulk-calls.ts';
import { isUnanswered, ProblemError, toProblem } from './problem-error.ts';

const maxConcurrency = 3;
const maxAttempts = 3;

interface BatchesOptions<Result> {
  /** When aborted, no further batch is sent; those in progress finish. */
  readonly signal?: AbortSignal | undefined;
  readonly onResults?: (results: readonly Result[]) => void;
}

/**
 * Sends batches, several concurrently; returns the results of those that were sent, in order. After one that throws, no further
 * batch is sent, and it throws once those in progress have ended.
 */
export async function inBatches<Result, Item = string>(
  items: readonly Item[],
  send: (batch: readonly Item[]) => Promise<readonly Result[]>,
  { signal, onResults }: BatchesOptions<Result> = {},
): Promise<Result[]> {
  const results: (readonly Result[])[] = [];
  const waiting = batchesOf(items).entries();
  let hasFailed = false;
  const work = async () => {
    for (const [index, batch] of waiting) {
      if (signal?.aborted || hasFailed) return;
      const answered = await send(batch).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
      results[index] = answered;
      onResults?.(answered);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: maxConcurrency }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return results.flat();
}

/** Sends some of a batch, and returns what became of them. */
type Send<Outcome> = (keys: readonly string[]) => Promise<readonly Outcome[]>;

/** How the outcomes of a batch become known. */
export interface Sending<Outcome> {
  readonly send: Send<Outcome>;
  /** What sending them would change now, such as by a dry run. */
  readonly check?: Send<Outcome> | undefined;
  /** What an outcome is about. */
  readonly keyOf: (outcome: Outcome) => string;
  readonly failed: (key: string, problem: Problem) => Outcome;
  /** The outcome after another attempt. Default: `latestOf`, for what can have been changed by an attempt whose answer was lost. */
  readonly latest?: (before: Outcome | undefined, outcome: Outcome) => Outcome;
}

type Problem = NonNullable<BulkOutcome['problem']>;

/**
 * The outcomes of a batch that needs the change. What the service was not available for is sent again, one batch at a time, because
 * the service could not keep up. After three attempts, the service is asked what is left to change: what is not was changed by an
 * attempt whose answer was lost. Throws if the session has ended.
 */
export async function sendUntilKnown<Outcome extends BulkOutcome>(
  keys: readonly string[],
  sending: Sending<Outcome>,
): Promise<readonly Outcome[]> {
  const { send, check, keyOf, failed, latest = latestOf } = sending;
  const known = new Map<string, Outcome>();
  const note = (outcomes: readonly Outcome[]) => {
    for (const outcome of outcomes) {
      const key = keyOf(outcome);
      known.set(key, latest(known.get(key), outcome));
    }
  };
  let waiting = keys;
  const attempt = async () => {
    note(await answersOf(waiting, send, failed));
    waiting = waiting.filter((key) => known.get(key)?.problem?.code === 'unavailable');
  };
  await attempt();
  for (let attempts = 1; attempts < maxAttempts && waiting.length > 0; attempts++) {
    await pause(1000 * attempts);
    await inLine(attempt);
  }
  if (check !== undefined && waiting.length > 0) note(await checked(waiting, { ...sending, check }));
  return [...known.values()];
}

/**
 * The same of a question, which changes nothing: each outcome is that of the last attempt, and what a request throws in the end is
 * thrown, because without its answer nothing is known.
 */
export async function askUntilKnown<Outcome extends BulkOutcome>(
  keys: readonly string[],
  { send, ...sending }: Omit<Sending<Outcome>, 'check' | 'latest'>,
): Promise<readonly Outcome[]> {
  let failure: unknown;
  const ask: Send<Outcome> = async (some) => {
    failure = undefined;
    return await send(some).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  };
  const outcomes = await sendUntilKnown(keys, { ...sending, send: ask, latest: (_, outcome) => outcome });
  if (failure !== undefined) throw failure;
  return outcomes;
}

/** The outcome after another attempt: what was changed stays so, and what is found done after no answer was changed then. */
export function latestOf<Outcome extends BulkOutcome>(before: Outcome | undefined, outcome: Outcome): Outcome {
  if (before?.outcome === 'changed') return before;
  return { ...outcome, outcome: outcomeAfter(before, outcome).outcome };
}

/** The outcomes of a batch of users who need the change. */
export function outcomesOf(
  userIds: readonly string[],
  send: Send<BulkOutcome>,
  check?: Send<BulkOutcome>,
): Promise<readonly BulkOutcome[]> {
  const failed = (userId: string, problem: Problem): BulkOutcome => ({ userId, outcome: 'failed', problem });
  return sendUntilKnown(userIds, { send, check, keyOf: ({ userId }) => userId, failed });
}

async function answersOf<Outcome extends BulkOutcome>(
  keys: readonly string[],
  send: Send<Outcome>,
  failed: Sending<Outcome>['failed'],
): Promise<readonly Outcome[]> {
  try {
    return await send(keys);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'session_ended') throw error;
    const { code, message: detail } = toProblem(error as Error);
    const problem = { code: isUnanswered(error as Error) ? 'unavailable' : code, detail };
    return keys.map((key) => failed(key, problem));
  }
}

/** Of what got no answer: unchanged if nothing is left to change, and failed otherwise. */
async function checked<Outcome extends BulkOutcome>(
  keys: readonly string[],
  { check, keyOf, failed }: Sending<Outcome> & { readonly check: Send<Outcome> },
): Promise<readonly Outcome[]> {
  const left = await answersOf(keys, check, failed);
  const named = left.filter((outcome) => keys.includes(keyOf(outcome)));
  return named.map((outcome) => {
    if (outcome.outcome === 'unchanged') return outcome;
    const detail = outcome.outcome === 'changed' ? notChanged : unknownOutcome;
    return failed(keyOf(outcome), { code: 'unavailable', detail });
  });
}

const notChanged = 'The service did not answer in time, and nothing had changed when it was asked again.';
const unknownOutcome =
  'The service did not answer, so it may be done or not. Do it again: what is done already stays as it is.';

/** Runs one at a time. */
function inLine(run: () => Promise<void>): Promise<void> {
  last = last.then(run, run);
  return last;
}

let last: Promise<void> = Promise.resolve();

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
