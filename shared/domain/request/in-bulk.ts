import { type BulkOutcome, bulkClockSeconds, bulkHours } from '#shared/contract/bulk.ts';
import { type BulkId, isUserId, type UserId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { log } from '#shared/core/telemetry.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { RequestContext } from './request-context.ts';

/** The users of one request, and the bulk it is part of. */
export interface Bulk {
  readonly userIds: readonly string[];
  readonly bulkId?: BulkId | undefined;
  /** Default: false. */
  readonly dryRun?: boolean;
}

/** Changes one user of a bulk in the same way as a single request. */
export type ChangeOne = (userId: UserId, context: RequestContext) => Promise<{ readonly changed: boolean }>;

/** Applies the same change to many users separately: one outcome for each, whether or not others fail. */
export async function changeInBulk(bulk: Bulk, context: RequestContext, changeOne: ChangeOne): Promise<BulkOutcome[]> {
  const { userIds, bulkId, dryRun = false } = bulk;
  requireCurrent(bulkId);
  const contextOf = itemContexts({ ...context, bulkId, dryRun }, 'userIds');
  return mapConcurrently(userIds, async (userId) => {
    if (!isUserId(userId)) return failed(userId, 'invalid_request', 'This is not a valid user id.');
    const part = partOf(contextOf(userId), userId);
    return outcomeOf(userId, part, () => changeOne(userId, part));
  });
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
  const { asked } = attempt;
  const { [list]: _, ...others } = JSON.parse(new TextDecoder().decode(asked.body));
  return (item) => {
    const body = new TextEncoder().encode(JSON.stringify([others, item]));
    return { ...context, attempt: { ...attempt, asked: { ...asked, body } } };
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
