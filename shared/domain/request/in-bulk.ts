import { type BulkOutcome, bulkClockSeconds, bulkHours } from '#shared/contract/bulk.ts';
import { type BulkId, isUserId, type UserId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { log } from '#shared/core/telemetry.ts';
import { callOf } from './call.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { captureFinalRefusal, identity, performWrite } from './perform-write.ts';
import type { RequestContext } from './request-context.ts';

/** The users of one request, and the bulk it is part of. */
export interface Bulk {
  readonly userIds: readonly string[];
  readonly bulkId?: BulkId | undefined;
  /** Default: false. */
  readonly dryRun?: boolean;
}

/** Whether a call changed anything, as in every answer that is stored of one. */
interface Changed {
  readonly changed: boolean;
}

/** Changes one user of a bulk in the same way as a single request. */
export type ChangeOne = (userId: UserId, context: RequestContext) => Promise<Changed>;

/** A bulk, and what it needs as a whole. */
export interface RequiringBulk extends Bulk {
  /** Throws what refuses the bulk as a whole. Default: nothing does. */
  readonly require?: () => Promise<unknown>;
}

/** Applies the same change to many users separately: one outcome for each, whether or not others fail. */
export async function changeInBulk(
  { userIds, bulkId, dryRun = false, require }: RequiringBulk,
  context: RequestContext,
  changeOne: ChangeOne,
): Promise<BulkOutcome[]> {
  const ofBulk = { ...context, bulkId, dryRun };
  const contextOf = itemContexts(ofBulk, 'userIds');
  const requireAll = async () => {
    await require?.();
    requireCurrent(bulkId);
  };
  return performParts(ofBulk, requireAll, (perform) =>
    mapConcurrently(userIds, async (userId) => {
      if (!isUserId(userId)) return failed(userId, 'invalid_request', 'This is not a valid user id.');
      const part = partOf(contextOf(userId), userId);
      return outcomeOf(userId, part, () => perform(part, () => changeOne(userId, part)));
    }),
  );
}

/** Performs one part of a call. */
export type PerformPart = (part: RequestContext, change: () => Promise<Changed>) => Promise<Changed>;

/**
 * Performs the parts of a call, unless `require` refuses the call as a whole. What earlier attempts of the call have completed
 * stands even so: the call is then not refused as a whole, and only its other parts are. The refusal completes them, so that
 * an attempt in flight cannot take effect afterwards.
 */
export async function performParts<Outcomes>(
  context: RequestContext,
  require: () => Promise<unknown>,
  run: (perform: PerformPart) => Promise<Outcomes>,
): Promise<Outcomes> {
  const refusal = await captureFinalRefusal(require);
  if (!(refusal instanceof ServiceError)) return run((_, change) => change());
  if (callOf(context)?.named !== true) throw refusal;
  let isRetry = false;
  const outcomes = await run(async (part) => {
    try {
      const completed = await refuse(part, refusal);
      isRetry = true;
      return completed;
    } catch (error) {
      if (!isSameRefusal(error, refusal)) isRetry = true;
      throw error;
    }
  });
  if (!isRetry) throw refusal;
  return outcomes;
}

/** An earlier attempt may have been refused as a whole too. */
function isSameRefusal(error: unknown, { code, options }: ServiceError): boolean {
  return error instanceof ServiceError && error.code === code && error.options.detail === options.detail;
}

/** Completes a call with a refusal, and throws it; returns what an earlier attempt of the call was answered instead. */
export function refuse(context: RequestContext, refusal: ServiceError): Promise<Changed> {
  const decide = () => Promise.reject(refusal);
  // The answer of a creation does not say whether it changed anything.
  const fromStored = ({ changed }: Partial<Changed>) => ({ changed: changed !== false });
  return performWrite<Changed, Partial<Changed>>(context, { decide, toStored: identity, fromStored });
}

/** The outcome for one user; an unexpected error is logged, and its detail withheld. */
export async function outcomeOf(
  userId: string,
  { requestId }: RequestContext,
  change: () => Promise<{ readonly changed: boolean }>,
): Promise<BulkOutcome> {
  try {
    const { changed } = await change();
    return { userId, outcome: changed ? 'changed' : 'unchanged' };
  } catch (error) {
    if (error instanceof ServiceError) return failed(userId, error.code, error.options.detail);
    log.error('bulk', { requestId, error: error as Error });
    return failed(userId, 'internal', 'An unexpected error occurred. Report the request id.');
  }
}

/**
 * The context of each item of a list in the body, as if the request were about that item alone: a retry with the same key may
 * list only the items that have no outcome yet.
 */
export function itemContexts<Context extends RequestContext>(
  context: Context,
  list: 'userIds' | 'users',
): (item: unknown) => Context {
  const { attempt } = context;
  if (attempt === undefined) return () => context;
  const { content } = attempt;
  const { [list]: _, ...others } = JSON.parse(new TextDecoder().decode(content.body));
  return (item) => {
    const body = new TextEncoder().encode(JSON.stringify([others, item]));
    return { ...context, attempt: { ...attempt, content: { ...content, body } } };
  };
}

/** The part of a call for one subject, which completes separately. */
export function partOf<Context extends RequestContext>(context: Context, subject: string): Context {
  const { attempt } = context;
  return attempt === undefined ? context : { ...context, attempt: { ...attempt, subject } };
}

/** Undoing a bulk searches for its changes from the time in its id, so that time must be recent. */
export function requireCurrent(bulkId: BulkId | undefined): void {
  if (bulkId === undefined) return;
  const age = now().getTime() - timeOfUlid(bulkId);
  if (age < -bulkClockSeconds * 1000 || age > bulkHours * 3_600_000) {
    throw invalidField('bulkId', `must be a ULID of the last ${bulkHours} hours`);
  }
}

function failed(userId: string, code: string, detail: string): BulkOutcome {
  return { userId, outcome: 'failed', problem: { code, detail } };
}
