import type { Change } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { readItems } from '#shared/table/client.ts';
import { changeKey, isInFeed, isInPlace, readableChangeOf } from '#shared/table/items/change-item.ts';
import {
  type FeedChange,
  type FeedNews,
  feedDays,
  isReadable,
  lastNumber,
  type NextPage,
  readFeedNews,
  readLogEnd,
  readNextBlocks,
} from '#shared/table/items/feed-item.ts';
import { reportUnreadable } from '#shared/table/items/unreadable-item.ts';
import { type FeedName, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { afterNumber, type FeedPosition } from '#shared/table/queries/feed-cursor.ts';

/** The positions in the own feed of an application and in that of the users; undefined before the oldest change that is kept. */
export type Positions = readonly [FeedPosition | undefined, FeedPosition | undefined];

/** A change, and the feed that it is in. */
export interface FoundChange extends FeedChange {
  readonly feed: FeedName;
}

/** What follows a position in one feed. */
export interface ReadFeed extends Pick<FeedNews, 'complete' | 'pendingTo'> {
  readonly start: FeedPosition;
  /** In order; each with the position after it. */
  readonly numbered: readonly { readonly change: FoundChange; readonly after: FeedPosition }[];
  readonly pending: readonly FoundChange[];
}

/**
 * Reads both feeds, so that of each user the changes in them have no gap: without an earlier one in the other feed, such as the
 * erasure of a user before the access of the next one with the id, the user would have a state that never was. The own feed is
 * read after that of the users. If that has got something meanwhile that came before what was found, both are read again.
 * Fails with 410 `cursor_expired` if changes after a position have expired. Of a feed in which the reader is behind, it reads only
 * the next page.
 */
export async function readFeeds(
  appId: AppId,
  [own, users]: Positions,
  next: NextPage,
): Promise<readonly [ReadFeed, ReadFeed]> {
  for (let before = await readFeed(usersFeed, users, next); ; ) {
    const found = await readFeed(appId, own, next);
    const changes = changesOf(found);
    if (changes.length === 0) return [found, before];
    const after = await readFeed(usersFeed, users, next);
    const known = new Set(changesOf(before).map(({ id }) => id));
    const missed = changesOf(after).filter(({ id }) => !known.has(id));
    const isGap = (one: FeedChange) => changes.some(({ userId, id }) => userId === one.userId && id > one.id);
    if (!missed.some(isGap)) return [found, before];
    before = after;
  }
}

/** All changes that were read of a feed: those with a number, then the pending ones. */
export function changesOf({ numbered, pending }: ReadFeed): FoundChange[] {
  return [...numbered.map(({ change }) => change), ...pending];
}

async function readFeed(feed: FeedName, position: FeedPosition | undefined, next: NextPage): Promise<ReadFeed> {
  const news = position === undefined ? await readOldest(feed, next) : await readAfter(feed, position, next);
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
    pendingTo: news.pendingTo,
    complete: news.complete,
  };
}

function readAfter(feed: FeedName, { first, isBehind }: FeedPosition, next: NextPage): Promise<FeedNews> {
  return isBehind === true ? readNextBlocks(feed, first, next) : readFeedNews(feed, first, next);
}

/**
 * Steps over blocks from before a restart of the log, over expired ones that DynamoDB has not removed yet, and over what precedes a
 * block that is gone or cannot be read.
 */
async function readOldest(feed: FeedName, next: NextPage): Promise<FeedNews> {
  for (let from = 0; ; ) {
    const news = await readFeedNews(feed, from, next);
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
 * change of the position, which that of a restored table does not, and each block must follow the one before. A log that was
 * restarted (`restartLog`) refuses all earlier positions.
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

/** As many changes as a block has at most. */
const blockSize = 100;

/** The position after so many changes with a number. */
export function positionAfter({ start, numbered, complete }: ReadFeed, count: number): FeedPosition {
  const isBehind = !complete || numbered.length - count >= blockSize;
  return { ...(numbered[count - 1]?.after ?? start), isBehind };
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
