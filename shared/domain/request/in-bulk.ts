import { type BulkOutcome, bulkClockSeconds, bulkHours } from '#shared/contract/bulk.ts';
import { type BulkId, isUserId, type UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { timeOfUlid } from '#shared/core/ids.ts';
import { log } from '#shared/core/telemetry.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { RequestContext } from './request-context.ts';

/** Whom one request concerns, and of which bulk it is a part. */
export interface Bulk {
  readonly userIds: readonly string[];
  readonly bulkId?: BulkId | undefined;
  /** Default: no. */
  readonly dryRun?: boolean;
}

/** Changes one user of a bulk, as a request for that user alone would. */
export type ChangeOne = (userId: UserId, context: RequestContext) => Promise<{ readonly changed: boolean }>;

/** Does the same for many users, each by itself: an outcome for every one, whether or not others fail. */
export async function changeInBulk(bulk: Bulk, context: RequestContext, changeOne: ChangeOne): Promise<BulkOutcome[]> {
  const { userIds, bulkId, dryRun = false } = bulk;
  if (bulkId !== undefined) requireCurrent(bulkId);
  return mapConcurrently(userIds, async (userId) => {
    if (!isUserId(userId)) return failed(userId, 'invalid_request', 'This is not a valid user id.');
    const part = partOf({ ...context, bulkId, dryRun }, userId);
    return outcomeOf(userId, part, () => changeOne(userId, part));
  });
}

/** The outcome of one part; an error of the service is logged, and its detail kept. */
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

/** The part of a call that is about one subject, which ends by itself. */
export function partOf<Context extends RequestContext>(context: Context, subject: string): Context {
  const { attempt } = context;
  return attempt === undefined ? context : { ...context, attempt: { ...attempt, subject } };
}

/** The changes of a bulk are looked for from the time in its id on, so it must be about now. */
function requireCurrent(bulkId: BulkId): void {
  const age = now().getTime() - timeOfUlid(bulkId);
  if (age < -bulkClockSeconds * 1000 || age > bulkHours * 3_600_000) {
    throw invalidField('bulkId', `must be a ULID of the last ${bulkHours} hours`);
  }
}

function failed(userId: string, code: string, detail: string): BulkOutcome {
  return { userId, outcome: 'failed', problem: { code, detail } };
}
