import { ServiceError } from '#shared/core/errors.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';
import {
  type Call,
  completeCall,
  completeCallEntry,
  completedCallOf,
  type Outcome,
  readCompletedCall,
} from '#shared/table/items/call-item.ts';
import { callOf, outcomeFor } from './call.ts';
import { retryOnConflict } from './optimistic-locking.ts';
import type { RequestContext } from './request-context.ts';

/** The decision of an attempt, based on what it read. */
export interface Decision<Answer> {
  readonly answer: Answer;
  /** The entries to write, including the Change; undefined when nothing changes. */
  readonly entries?: readonly TransactEntry[];
  /** Entries that are written before, each alone, such as the end of a closing. A failed condition is a conflict. */
  readonly before?: readonly TransactEntry[];
}

export interface Write<Answer, Stored> {
  /** Reads and decides; called again after a conflict. Throws refusals. The key chains the Changes. */
  readonly decide: (key: ChainKey) => Promise<Decision<Answer>>;
  /** The part of the answer that is stored for later attempts of the call: no secret, name or e-mail address. */
  readonly toStored: (answer: Answer) => Stored;
  /** The answer to a later attempt of the call. */
  readonly fromStored: (stored: Stored) => Answer | Promise<Answer>;
}

/** For `toStored` and `fromStored` of an answer that is stored whole: it contains no secret and no personal data. */
export function identity<Whole>(whole: Whole): Whole {
  return whole;
}

/**
 * The one way to write: read and decide, then write all or nothing, together with the outcome of the call. A call that has
 * already completed is answered with that outcome, whatever would be decided now. A dry run stops after the decision.
 *
 * Two requests to the table, three for a retry that gets the outcome of another attempt. Beside them are only the record of the
 * key's use, once per day and process, and for an application near its limit one addition per process every five seconds, which
 * is sent together with the read.
 */
export async function performWrite<Answer, Stored>(
  context: RequestContext,
  write: Write<Answer, Stored>,
): Promise<Answer> {
  const { decide, toStored, fromStored } = write;
  if (context.dryRun === true) return (await decide(await latestChainKey())).answer;
  const call = callOf(context);
  let attempts = 0;
  return retryOnConflict(async () => {
    attempts += 1;
    const decision = await captureFinalRefusal(async () => decide(await latestChainKey()));
    if (!(decision instanceof ServiceError) && decision.entries !== undefined) {
      const outcome = await commit(decision, toStored(decision.answer), call);
      return outcome instanceof CompletedBefore
        ? answerFrom(outcome.outcome, fromStored)
        : (outcome ?? decision.answer);
    }
    // Only this request's own retries can have completed a call without a nonce or key.
    const completed =
      call !== undefined && (call.named || attempts > 1)
        ? await complete(call, unwritten(decision, toStored))
        : undefined;
    if (completed !== undefined) return answerFrom(completed, fromStored);
    if (decision instanceof ServiceError) throw decision;
    return decision.answer;
  });
}

/** The outcome of a call that had already completed. */
class CompletedBefore {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

/** Undefined when everything is written. A failed condition other than that of the call is a conflict. */
async function commit(
  { entries = [], before = [] }: Pick<Decision<unknown>, 'entries' | 'before'>,
  stored: unknown,
  call: Call | undefined,
): Promise<CompletedBefore | 'conflict' | undefined> {
  for (const entry of before) if ((await transact([entry])).kind !== 'committed') return 'conflict';
  const first = call === undefined ? [] : [completeCallEntry(call, { answer: stored })];
  const outcome = await transact([...first, ...entries]);
  if (outcome.kind === 'committed') return undefined;
  const completed = outcome.kind === 'refused' ? outcome.failed.get(0) : undefined;
  if (call === undefined || completed === undefined) return 'conflict';
  return new CompletedBefore(await outcomeFor(call, completedCallOf(completed)));
}

/** The outcome of a decision that writes nothing. */
function unwritten<Answer, Stored>(
  decision: Decision<Answer> | ServiceError,
  toStored: Write<Answer, Stored>['toStored'],
): Outcome {
  return decision instanceof ServiceError ? { refusal: refusalOf(decision) } : { answer: toStored(decision.answer) };
}

/** Completes a call that writes nothing; returns the outcome of an earlier attempt that completed it, if any. */
async function complete(call: Call, outcome: Outcome): Promise<Outcome | undefined> {
  const completed = await completeCall(call, outcome);
  return completed && outcomeFor(call, completed);
}

/**
 * For a write with preceding work: skips that work if the call has already completed, and completes the call with a refusal of
 * it, so that an earlier attempt in flight cannot take effect afterwards. If another attempt has completed the call meanwhile,
 * its outcome counts.
 */
export async function performOnce<Answer, Stored>(
  context: RequestContext,
  fromStored: Write<Answer, Stored>['fromStored'],
  perform: () => Promise<Answer>,
): Promise<Answer> {
  const before = await completedOutcome(context);
  if (before !== undefined) return answerFrom(before, fromStored);
  const performed = await captureFinalRefusal(perform).catch(async (error: unknown) => {
    const later = await completedOutcome(context);
    if (later === undefined) throw error;
    return answerFrom(later, fromStored);
  });
  if (!(performed instanceof ServiceError)) return performed;
  const call = callOf(context);
  const earlier = call?.named === true ? await complete(call, { refusal: refusalOf(performed) }) : undefined;
  if (earlier !== undefined) return answerFrom(earlier, fromStored);
  throw performed;
}

/** The outcome of a completed call; a call without a nonce or key has no other attempts. */
async function completedOutcome(context: RequestContext): Promise<Outcome | undefined> {
  const call = callOf(context);
  const completed = call?.named === true ? await readCompletedCall(call) : undefined;
  return call && completed && outcomeFor(call, completed);
}

function answerFrom<Answer, Stored>(
  outcome: Outcome,
  fromStored: Write<Answer, Stored>['fromStored'],
): Answer | Promise<Answer> {
  if ('answer' in outcome) return fromStored(outcome.answer as Stored);
  const { code, ...options } = outcome.refusal;
  throw new ServiceError(code, options);
}

/** A refusal completes the call too, unless it is of the caller or an outage: then a later attempt decides again. */
export async function captureFinalRefusal<Decided>(decide: () => Promise<Decided>): Promise<Decided | ServiceError> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500 && !isOfCaller(error)) return error;
    throw error;
  }
}

/** The key may be replaced, and an operator be given the role. */
function isOfCaller({ status, code }: ServiceError): boolean {
  return status === 401 || code === 'role_required';
}

function refusalOf({ code, options: { detail, field, members, headers } }: ServiceError) {
  return { code, detail, ...(field && { field }), ...(members && { members }), ...(headers && { headers }) };
}
