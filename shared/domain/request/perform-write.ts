import { ServiceError } from '#shared/core/errors.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';
import {
  type Call,
  endCall,
  endCallEntry,
  endedCallOf,
  type Outcome,
  readEndedCall,
} from '#shared/table/items/call-item.ts';
import { callOf, outcomeFor } from './call.ts';
import { retryOnConflict } from './optimistic-locking.ts';
import type { RequestContext } from './request-context.ts';

/** What an attempt has decided from what it read. */
export interface Decision<Answer> {
  readonly answer: Answer;
  /** What to write, the Change among it; undefined when nothing changes. */
  readonly entries?: readonly TransactEntry[];
}

export interface Write<Answer, Kept> {
  /** Reads and decides; called again after a conflict. Throws refusals. Changes take the key. */
  readonly decide: (key: ChainKey) => Promise<Decision<Answer>>;
  /** What is stored of the answer for later attempts of the call: no secret, no name, no e-mail address. */
  readonly keep: (answer: Answer) => Kept;
  /** The answer to a later attempt of the call. */
  readonly restore: (kept: Kept) => Answer | Promise<Answer>;
}

/** Stores the whole answer, which then contains no secret and no personal data. */
export function keepWhole<Kept>(whole: Kept): Kept {
  return whole;
}

/**
 * The one way to write: read and decide, then write all or nothing, and the outcome of the call with it. A call that has
 * ended already is answered by that outcome, whatever would be decided now. A dry run ends with the decision.
 */
export async function performWrite<Answer, Kept>(context: RequestContext, write: Write<Answer, Kept>): Promise<Answer> {
  const { decide, keep, restore } = write;
  if (context.dryRun === true) return (await decide(await latestChainKey())).answer;
  const call = callOf(context);
  let attempts = 0;
  return retryOnConflict(async () => {
    attempts += 1;
    const decision = await decideOrRefuse(async () => decide(await latestChainKey()));
    if (!(decision instanceof ServiceError) && decision.entries !== undefined) {
      const outcome = await commit(decision.entries, keep(decision.answer), call);
      return outcome instanceof EndedBefore ? restored(outcome.outcome, restore) : (outcome ?? decision.answer);
    }
    // A request without a name of its own can only have been sent before by an earlier attempt of itself.
    const ended =
      call !== undefined && (call.named || attempts > 1) ? await endUnchanged(write, decision, call) : undefined;
    if (ended !== undefined) return restored(ended, restore);
    if (decision instanceof ServiceError) throw decision;
    return decision.answer;
  });
}

/** Says in place of an outcome that the call had ended before, and how. */
class EndedBefore {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

/** Undefined when all is written. Any condition that failed but that of the call has changed since the read. */
async function commit(
  entries: readonly TransactEntry[],
  kept: unknown,
  call: Call | undefined,
): Promise<EndedBefore | 'conflict' | undefined> {
  const first = call === undefined ? [] : [endCallEntry(call, { answer: kept })];
  const outcome = await transact([...first, ...entries]);
  if (outcome.kind === 'committed') return undefined;
  const ended = outcome.kind === 'refused' ? outcome.failed.get(0) : undefined;
  if (call === undefined || ended === undefined) return 'conflict';
  return new EndedBefore(await outcomeFor(call, endedCallOf(ended)));
}

/** Ends a call that writes nothing; the outcome of the attempt that ended it before, if one has. */
async function endUnchanged<Answer, Kept>(
  { keep }: Write<Answer, Kept>,
  decision: Decision<Answer> | ServiceError,
  call: Call,
): Promise<Outcome | undefined> {
  const refused = decision instanceof ServiceError;
  const ended = await endCall(call, refused ? { refusal: refusalOf(decision) } : { answer: keep(decision.answer) });
  return ended && outcomeFor(call, ended);
}

/**
 * For a write that does something before: not when the call has ended already, and what that refuses does not count when
 * another attempt has ended the call meanwhile.
 */
export async function performOnce<Answer, Kept>(
  context: RequestContext,
  restore: Write<Answer, Kept>['restore'],
  perform: () => Promise<Answer>,
): Promise<Answer> {
  const before = await recall(context);
  if (before !== undefined) return restored(before, restore);
  try {
    return await perform();
  } catch (error) {
    const meanwhile = await recall(context);
    if (meanwhile !== undefined) return restored(meanwhile, restore);
    throw error;
  }
}

/** The outcome of a call that has ended; one without a name can have no other attempt. */
async function recall(context: RequestContext): Promise<Outcome | undefined> {
  const call = callOf(context);
  const ended = call?.named === true ? await readEndedCall(call) : undefined;
  return call && ended && outcomeFor(call, ended);
}

function restored<Answer, Kept>(outcome: Outcome, restore: Write<Answer, Kept>['restore']): Answer | Promise<Answer> {
  if ('answer' in outcome) return restore(outcome.answer as Kept);
  const { code, ...options } = outcome.refusal;
  throw new ServiceError(code, options);
}

/** A refusal ends the call too. One of the caller, or an outage, does not: a later attempt decides anew. */
async function decideOrRefuse<Decided>(decide: () => Promise<Decided>): Promise<Decided | ServiceError> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 401 && error.status < 500) return error;
    throw error;
  }
}

function refusalOf({ code, options: { detail, field, members, headers } }: ServiceError) {
  return { code, detail, ...(field && { field }), ...(members && { members }), ...(headers && { headers }) };
}
