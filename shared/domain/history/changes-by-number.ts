import type { ApplicationChangePage, ChangeAction } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { publishMetrics } from '#shared/core/telemetry.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import type { FeedChange } from '#shared/table/items/feed-item.ts';
import { decodeFeedCursor, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
import { authorize, hasScope } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';
import {
  changesOf,
  type FoundChange,
  type Positions,
  positionAfter,
  type ReadFeed,
  readFeedChanges,
  readFeeds,
} from './read-feed.ts';
import { signForApplication } from './sign-for-application.ts';

export interface ChangesRequest {
  readonly appId: AppId;
  readonly limit: number;
  /** The cursor of the previous response; undefined begins with the oldest change that is kept. */
  readonly after?: string | undefined;
  /** Only these actions. Default: all. */
  readonly actions?: readonly ChangeAction[] | undefined;
}

/**
 * Reads by number, for followers who may see a change again. The changes for an application are its own, and the changes of users
 * that concern every application. First those that have a number, in that order, then the pending ones, which are returned again
 * until they have one: the cursor passes only numbers, and whatever is committed later gets a higher one.
 */
export async function listChanges(request: ChangesRequest, context: RequestContext): Promise<ApplicationChangePage> {
  const { appId, after } = request;
  const guarded = await readApplication(appId);
  const application = await authorize(context, guarded, now());
  const reader = { appId, readsWebhookUrls: hasScope(application, context, 'webhooks:write') };
  const position = after === undefined ? undefined : decodeFeedCursor(appId, after);
  const page = await readPage(request, position?.feeds ?? [undefined, undefined], position?.pendingAfter);
  const { numbered, shown, hasRest, items, repeated } = page;
  countOld(page.pending);
  return {
    items: await signForApplication([...items, ...repeated], reader),
    pending: repeated.length,
    more: page.more,
    cursor: encodeFeedCursor(appId, {
      feeds: numbered.positions,
      pendingAfter: hasRest ? (shown.at(-1)?.id ?? position?.pendingAfter) : undefined,
    }),
  };
}

/**
 * Reads the feeds, then the changes in them. A change that is missing is that of a user who is being erased: if the erasure began
 * only after the feeds were read, they do not have it, and without both, the last page would show a state that the user never
 * had. So the feeds are read again, unless later pages follow.
 */
async function readPage(request: ChangesRequest, positions: Positions, after: string | undefined) {
  const known = new Set<string>();
  for (;;) {
    const page = await readPageOnce(request, positions, after);
    const unexplained = page.more
      ? []
      : page.missing.filter((change) => !known.has(change.id) && !isErased(change, page.feeds));
    if (unexplained.length === 0) return page;
    for (const { id } of unexplained) known.add(id);
  }
}

async function readPageOnce(
  { appId, limit, actions }: ChangesRequest,
  positions: Positions,
  after: string | undefined,
) {
  const feeds = await readFeeds(appId, positions, { count: limit, withPending: false });
  const isWanted = ({ action }: FeedChange) => actions === undefined || actions.includes(action);
  const numbered = takeNumbered(feeds, limit, isWanted);
  const pending = numbered.ended ? pendingAfter(feeds, after).filter(isWanted) : [];
  const shown = pending.slice(0, limit - numbered.taken.length);
  const hasRest = shown.length < pending.length;
  const [items, repeated] = await Promise.all([readFeedChanges(numbered.taken), readFeedChanges(shown)]);
  const found = new Set([...items, ...repeated].map(({ id }) => id));
  const missing = [...numbered.taken, ...shown].filter(({ id }) => !found.has(id));
  return { feeds, numbered, pending, shown, hasRest, more: !numbered.ended || hasRest, items, repeated, missing };
}

/** Whether the feeds have a later erasure of the user of a change. */
function isErased({ id, userId }: FoundChange, feeds: readonly ReadFeed[]): boolean {
  return feeds
    .flatMap(changesOf)
    .some((change) => change.action === 'user.deleted' && change.userId === userId && change.id > id);
}

const oldMilliseconds = 60_000;

/** Numbers that are late have no effect but repetitions, so nobody else would notice. */
function countOld(pending: readonly FeedChange[]): void {
  const youngest = now().getTime() - oldMilliseconds;
  const count = pending.filter(({ id }) => timeOfUlid(id) < youngest).length;
  if (count > 0) publishMetrics({ OldPendingChanges: count });
}

/**
 * The feed whose next change has the smaller id; undefined at the end of both, or of one that was not read to its end: what
 * follows there may come before what the other one has.
 */
function nextFeed(feeds: readonly [ReadFeed, ReadFeed], next: readonly [number, number]): 0 | 1 | undefined {
  const [own, users] = [feeds[0].numbered[next[0]], feeds[1].numbered[next[1]]];
  if (own !== undefined && users !== undefined) return own.change.id < users.change.id ? 0 : 1;
  if (own !== undefined) return feeds[1].complete ? 0 : undefined;
  return users !== undefined && feeds[0].complete ? 1 : undefined;
}

/** The next changes of both feeds, by id where the order of each allows, and the positions after them. */
function takeNumbered(feeds: readonly [ReadFeed, ReadFeed], limit: number, isWanted: (change: FeedChange) => boolean) {
  const taken: FoundChange[] = [];
  const next: [number, number] = [0, 0];
  for (;;) {
    const at = nextFeed(feeds, next);
    const found = at === undefined ? undefined : feeds[at].numbered[next[at]];
    if (at === undefined || found === undefined || taken.length === limit) break;
    next[at] += 1;
    if (isWanted(found.change)) taken.push(found.change);
  }
  const isEnded = ({ numbered, complete }: ReadFeed, at: 0 | 1) => complete && next[at] === numbered.length;
  return {
    taken,
    positions: [positionAfter(feeds[0], next[0]), positionAfter(feeds[1], next[1])] as const,
    ended: isEnded(feeds[0], 0) && isEnded(feeds[1], 1),
  };
}

function pendingAfter(feeds: readonly ReadFeed[], id: string | undefined): FoundChange[] {
  return feeds
    .flatMap(({ pending }) => pending)
    .filter((change) => id === undefined || change.id > id)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
