import type { ApplicationChangePage, ChangeAction } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { publishMetrics } from '#shared/core/telemetry.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import type { FeedChange } from '#shared/table/items/feed-item.ts';
import { decodeFeedCursor, encodeFeedCursor, type FollowerPosition } from '#shared/table/queries/feed-cursor.ts';
import { authorize, hasScope } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';
import {
  countFrom,
  knownThrough,
  nothingKnown,
  type PendingWalk,
  takePending,
  withoutNumbered,
} from './pending-pages.ts';
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
  /** `new`: without the pending changes that answers before had. Default: all of them. */
  readonly pending?: 'all' | 'new' | undefined;
}

/**
 * Reads by number, for followers who may see a change again. The changes for an application are its own, and the changes of users
 * that concern every application. First those that have a number, in that order, then the pending ones, which are returned again
 * until they have one: the cursor passes only numbers, and whatever is committed later gets a higher one. If more are pending than
 * fit on a page, a reader can ask for those alone that it has not had.
 */
export async function listChanges(request: ChangesRequest, context: RequestContext): Promise<ApplicationChangePage> {
  const { appId, after, pending = 'all' } = request;
  const guarded = await readApplication(appId);
  const application = await authorize(context, guarded, now());
  const reader = { appId, readsWebhookUrls: hasScope(application, context, 'webhooks:write') };
  const position = after === undefined ? undefined : decodeFeedCursor(appId, after);
  const page = await readPage(request, position?.feeds ?? [undefined, undefined], walkOf(position, pending));
  const { numbered, taken, walk, items, repeated } = page;
  countOld([...taken.shown, ...taken.omitted]);
  const known = pending === 'new' && page.isPart ? { known: walk.known } : {};
  return {
    items: await signForApplication([...items, ...repeated], reader),
    pending: repeated.length,
    ...(taken.omitted.length > 0 && { omitted: taken.omitted.length }),
    more: page.more,
    cursor: encodeFeedCursor(appId, { feeds: numbered.positions, pendingAfter: walk.after, ...known }),
  };
}

/** What is pending is walked through from the place of the cursor on. */
function walkOf(position: FollowerPosition | undefined, pending: 'all' | 'new'): PendingWalk {
  if (pending === 'all') return { after: position?.pendingAfter, known: nothingKnown };
  const { known = nothingKnown, pendingAfter } = position ?? {};
  return { after: position?.known && pendingAfter, known: countFrom(known, now().getTime()) };
}

/**
 * Reads the feeds, then the changes in them. A change that is missing is that of a user who is being erased: if the erasure began
 * only after the feeds were read, they do not have it, and without both, the last page would show a state that the user never
 * had. So the feeds are read again, unless more changes with numbers follow.
 */
async function readPage(request: ChangesRequest, positions: Positions, walk: PendingWalk) {
  const known = new Set<string>();
  for (;;) {
    const page = await readPageOnce(request, positions, walk);
    const unexplained = page.numbered.ended
      ? page.missing.filter((change) => !known.has(change.id) && !isErased(change, page.feeds))
      : [];
    if (unexplained.length === 0) return page;
    for (const { id } of unexplained) known.add(id);
  }
}

async function readPageOnce({ appId, limit, actions }: ChangesRequest, positions: Positions, walk: PendingWalk) {
  const pendingThrough = knownThrough(walk.known);
  const feeds = await readFeeds(appId, positions, { count: limit, pendingAfter: walk.after, pendingThrough });
  const isWanted = ({ action }: FeedChange) => actions === undefined || actions.includes(action);
  const numbered = takeNumbered(feeds, limit, isWanted);
  const left = { ...walk, known: withoutNumbered(walk.known, numbered.passed) };
  const room = limit - numbered.taken.length;
  const taken = numbered.ended
    ? takePending(feeds, { walk: left, room, isWanted })
    : { shown: [], omitted: [], walk: left, isLast: false };
  const [items, repeated] = await Promise.all([readFeedChanges(numbered.taken), readFeedChanges(taken.shown)]);
  const found = new Set([...items, ...repeated].map(({ id }) => id));
  const missing = [...numbered.taken, ...taken.shown].filter(({ id }) => !found.has(id));
  // Otherwise this page has everything that is pending, and so will the next one.
  const isPart = walk.after !== undefined || !taken.isLast || taken.omitted.length > 0;
  return { feeds, numbered, taken, walk: taken.walk, isPart, more: !taken.isLast, items, repeated, missing };
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
    passed: feeds.flatMap(({ numbered }, at) => numbered.slice(0, next[at]).map(({ change }) => change)),
    positions: [positionAfter(feeds[0], next[0]), positionAfter(feeds[1], next[1])] as const,
    ended: isEnded(feeds[0], 0) && isEnded(feeds[1], 1),
  };
}
