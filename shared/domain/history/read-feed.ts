import type { ApplicationChangePage, Change, ChangeAction } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { publishMetrics } from '#shared/core/telemetry.ts';
import { readItems } from '#shared/table/client.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import { changeKey, isInFeed, isInPlace, readableChangeOf } from '#shared/table/items/change-item.ts';
import {
  type FeedChange,
  type FeedNews,
  feedDays,
  isReadable,
  lastNumber,
  readFeedNews,
  readLogEnd,
} from '#shared/table/items/feed-item.ts';
import { reportUnreadable } from '#shared/table/items/unreadable-item.ts';
import { type FeedName, usersFeed } from '#shared/table/keys.ts';
import {
  afterNumber,
  decodeFeedCursor,
  encodeFeedCursor,
  type FeedPosition,
} from '#shared/table/queries/feed-cursor.ts';
import { authorize, hasScope } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';
import { takeInOrder } from './feed-order.ts';
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
 * The changes for an application: its own, and the changes of users that concern every application. First those that have a
 * number, in its order, then the pending ones, which are returned again until they have one: the cursor passes only numbers,
 * and whatever is committed later gets a higher one.
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

type Positions = readonly [FeedPosition | undefined, FeedPosition | undefined];

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
  const feeds = await readFeeds(appId, positions);
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

/** The next changes with a number of an application's feeds, and the positions after them. */
export interface NumberedPage {
  readonly changes: readonly FoundChange[];
  readonly positions: readonly [FeedPosition, FeedPosition];
  readonly more: boolean;
}

/**
 * Reads what has a number: at least the next `limit` changes, and of each user in their order, page by page. Undefined positions
 * begin with the oldest that is kept. Fails with 410 `cursor_expired` like `listChanges`.
 */
export async function readNumbered(appId: AppId, positions: Positions, limit: number): Promise<NumberedPage> {
  const feeds = await readFeeds(appId, positions);
  const { counts, more } = takeInOrder(feeds, limit);
  const changesOf = ({ numbered }: ReadFeed, count: number) => numbered.slice(0, count).map(({ change }) => change);
  return {
    changes: [...changesOf(feeds[0], counts[0]), ...changesOf(feeds[1], counts[1])],
    positions: [positionAfter(feeds[0], counts[0]), positionAfter(feeds[1], counts[1])],
    more,
  };
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

/** A change, and the feed that it is in. */
export interface FoundChange extends FeedChange {
  readonly feed: FeedName;
}

/** What follows a position in one feed. */
interface ReadFeed extends Pick<FeedNews, 'complete'> {
  readonly start: FeedPosition;
  /** In order; each with the position after it. */
  readonly numbered: readonly { readonly change: FoundChange; readonly after: FeedPosition }[];
  readonly pending: readonly FoundChange[];
}

/**
 * Reads both feeds, so that of each user the changes in them have no gap: without an earlier one in the other feed, such as the
 * erasure of a user before the access of the next one with the id, the user would have a state that never was. The own feed is
 * read after that of the users. If that has got something meanwhile that came before what was found, both are read again.
 */
async function readFeeds(appId: AppId, [own, users]: Positions): Promise<readonly [ReadFeed, ReadFeed]> {
  for (let before = await readFeed(usersFeed, users); ; ) {
    const found = await readFeed(appId, own);
    const changes = changesOf(found);
    if (changes.length === 0) return [found, before];
    const after = await readFeed(usersFeed, users);
    const known = new Set(changesOf(before).map(({ id }) => id));
    const missed = changesOf(after).filter(({ id }) => !known.has(id));
    const isGap = (one: FeedChange) => changes.some(({ userId, id }) => userId === one.userId && id > one.id);
    if (!missed.some(isGap)) return [found, before];
    before = after;
  }
}

function changesOf({ numbered, pending }: ReadFeed): FoundChange[] {
  return [...numbered.map(({ change }) => change), ...pending];
}

async function readFeed(feed: FeedName, position: FeedPosition | undefined): Promise<ReadFeed> {
  const news = position === undefined ? await readOldest(feed) : await readFeedNews(feed, position.first);
  const start = position ?? oldestPosition(news);
  requireKept(news, start);
  const found = news.blocks.filter(({ first }) => first >= start.first);
  const numbered = found.flatMap((block) =>
    block.changes.map((change, at) => ({
      change: { ...change, feed },
      after: { first: block.first, number: block.first + at, id: change.id },
    })),
  );
  const known = new Set(numbered.map(({ change }) => change.id));
  return {
    start,
    numbered: numbered.filter(({ after }) => after.number > start.number),
    pending: news.pending.filter(({ id }) => !known.has(id)).map((change) => ({ ...change, feed })),
    complete: news.complete,
  };
}

/**
 * Steps over blocks from before the log began anew, over expired ones that DynamoDB has not removed yet, and over what precedes a
 * block that is gone or cannot be read.
 */
async function readOldest(feed: FeedName): Promise<FeedNews> {
  for (let from = 0; ; ) {
    const news = await readFeedNews(feed, from);
    const { startsAfter } = news.complete ? news : await readLogEnd(feed);
    const blocks = afterLastGap(news.blocks.filter(({ first }) => first > startsAfter));
    const last = news.blocks.at(-1);
    if (news.complete || last === undefined || blocks.some(isReadable)) return { ...news, blocks };
    from = Math.max(lastNumber(last), startsAfter) + 1;
  }
}

function afterLastGap(blocks: FeedNews['blocks']): FeedNews['blocks'] {
  const followsGap = ({ first }: FeedNews['blocks'][number], at: number) => {
    const before = blocks[at - 1];
    return before !== undefined && first !== lastNumber(before) + 1;
  };
  return blocks.slice(Math.max(0, blocks.findLastIndex(followsGap)));
}

/** Before the first block that can be read, or after the highest number that may be in use. */
function oldestPosition({ blocks, upTo }: FeedNews): FeedPosition {
  const first = blocks.find(isReadable);
  return afterNumber(first === undefined ? upTo : first.first - 1);
}

/**
 * Refuses a position after which changes have expired: 410. The block of the position must still be readable and contain the
 * change of the position, which that of a restored table does not, and each block must follow the one before. A log that began
 * anew (`restartLog`) refuses all earlier positions.
 */
function requireKept({ blocks, upTo, startsAfter, complete }: FeedNews, { first, number, id }: FeedPosition): void {
  const following = blocks.filter((block) => block.first >= first);
  const [own] = following;
  const isNothingLost = own === undefined ? complete && number === upTo && first > number : isReadable(own);
  const isJoined = following.every((block, at) => {
    const before = following[at - 1];
    return block.first === (before === undefined ? first : lastNumber(before) + 1);
  });
  const isSame = number >= startsAfter && (own === undefined || id === null || own.changes[number - first]?.id === id);
  if (isNothingLost && isJoined && isSame) return;
  throw new ServiceError('cursor_expired', {
    detail: `Changes can be followed for ${feedDays()} days. Read the snapshot, then continue with its changesCursor.`,
  });
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

function positionAfter({ start, numbered }: ReadFeed, count: number): FeedPosition {
  return numbered[count - 1]?.after ?? start;
}

function pendingAfter(feeds: readonly ReadFeed[], id: string | undefined): FoundChange[] {
  return feeds
    .flatMap(({ pending }) => pending)
    .filter((change) => id === undefined || change.id > id)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Reads the Changes themselves, strongly consistent; those of users who have been erased are gone. A torn log can name one twice.
 * A Change that belongs to another feed or another place was put here by somebody else, and is left out.
 */
export async function readFeedChanges(found: readonly FoundChange[]): Promise<Change[]> {
  const distinct = [...new Map(found.map((change) => [change.id, change])).values()];
  const keys = distinct.map(({ feed, ...change }) =>
    changeKey(feed === usersFeed ? change : { ...change, appId: feed }),
  );
  const items = await readItems(keys);
  return items.flatMap((item, at) => {
    const change = item && readableChangeOf(item);
    const [key, feed] = [keys[at], distinct[at]?.feed];
    if (item === undefined || change === undefined || key === undefined || feed === undefined) return [];
    if (isInPlace(change, key) && isInFeed(change, feed)) return [change];
    reportUnreadable(item);
    return [];
  });
}
