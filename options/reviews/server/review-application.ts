import type { AppId } from '#shared/contract/fields.ts';
import { clockSkewSeconds } from '#shared/contract/time-bounds.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { applicationView } from '#shared/domain/application/applications.ts';
import { recordReview } from '#shared/domain/application/record-review.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { type Item, queryItems } from '#shared/table/client.ts';
import type { Range } from '#shared/table/key.ts';
import { applicationChangesRange } from '#shared/table/keys/change-item-keys.ts';
import { secondsPerDay } from '#shared/table/ttl.ts';
import type { ReviewedApplication } from '../contract/access-review.ts';
import { maxLaterChanges, maxListAgeDays } from '../contract/review-limits.ts';

export interface Review {
  readonly appId: AppId;
  /** When the list was read that was reviewed. */
  readonly asOf: string;
}

/**
 * Marks who has access to an application as reviewed. Changes since the list was read do not prevent it: they are counted, and the
 * record says how many there were.
 */
export async function reviewApplication(
  { appId, asOf }: Review,
  context: RequestContext,
): Promise<ReviewedApplication> {
  return recordReview(appId, context, {
    decide: async () => {
      validateAsOf(asOf);
      return { asOf, laterChanges: await countAccessChanges(appId, asOf) };
    },
    answerOf: (application) => ({
      ...applicationView(application),
      laterChanges: application.lastReview?.laterChanges ?? 0,
    }),
  });
}

/** The list was read by another process, whose clock may be ahead. */
function validateAsOf(asOf: string): void {
  const age = now().getTime() - Date.parse(asOf);
  if (age < -clockSkewSeconds * 1000) throw invalidField('asOf', 'must not be in the future');
  if (age > maxListAgeDays * secondsPerDay * 1000) {
    throw invalidField('asOf', `must be at most ${maxListAgeDays} days ago: read the list again`);
  }
}

const accessActions: readonly unknown[] = ['access.changed', 'role.assigned', 'role.revoked'];

/** How many accesses and roles of users have changed since then, by the application's history. */
async function countAccessChanges(appId: AppId, asOf: string): Promise<number> {
  const range: Range = applicationChangesRange(appId, { above: lowestUlid(new Date(asOf)), descending: false });
  let count = 0;
  let after: Item | undefined;
  do {
    const page = await queryItems(range, { after });
    count += page.items.filter(({ action }) => accessActions.includes(action)).length;
    after = page.next;
  } while (after !== undefined && count < maxLaterChanges);
  return Math.min(count, maxLaterChanges);
}
