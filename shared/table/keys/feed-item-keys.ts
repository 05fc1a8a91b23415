import type { AppId } from '#shared/contract/fields.ts';
import { digest } from '#shared/core/ids.ts';
import type { Key, Range } from '../key.ts';

/**
 * The feed of one application, of the changes of users that concern every application, or of the other changes of users, which
 * nobody follows: they are numbered only to be counted.
 */
export type FeedName = AppId | typeof usersFeed | typeof unfollowedFeed;
export const usersFeed = 'USERS';
export const unfollowedFeed = 'USERS#UNFOLLOWED';
export const isUserFeed = (feed: FeedName): feed is typeof usersFeed | typeof unfollowedFeed =>
  feed === usersFeed || feed === unfollowedFeed;

/**
 * A change in a feed. Pending ones have no number yet: those of one user are next to each other, by id, and a digest of the
 * user's id comes first, so that DynamoDB can divide them under load. The log has the others in blocks, by the number of the
 * first change of each, and at its end the highest number that may be in use. Read backwards, the partition shows what is
 * pending before the end of the log.
 */
export const pendingKey = (feed: FeedName, change: FeedChangeKey): Key => ({
  pk: feedPartition(feed),
  sk: `PENDING#${pendingPlace(change)}`,
});
/** What places a change among the pending ones. */
export interface FeedChangeKey {
  readonly id: string;
  readonly userId?: string;
}
/** The place of a change among the pending ones of any feed. */
export const pendingPlace = ({ id, userId = '' }: FeedChangeKey): string => `${digest(userId).slice(0, 6)}#${id}`;
/** What places of the same users begin with: the digest. */
export const usersOfPlace = (place: string): string => place.slice(0, 6);
/** The place behind all changes of the same users. */
export const endOfUsers = (place: string): string => `${usersOfPlace(place)}#${lastPlace}`;
/** Behind every place. */
export const lastPlace = '~';
/** The place of a pending change by its key. */
export const pendingPlaceOf = ({ sk }: Key): string => sk.slice('PENDING#'.length);
export const logBlockKey = (feed: FeedName, first: number): Key => ({
  pk: feedPartition(feed),
  sk: `LOG#${String(first).padStart(12, '0')}`,
});
export const logEndKey = (feed: FeedName): Key => ({ pk: feedPartition(feed), sk: 'LOG#END' });
export const isPendingKey = ({ sk }: Key): boolean => sk.startsWith('PENDING#');
const feedPartition = (feed: FeedName) => `FEED#${feed}`;

/** What is pending in a feed, and its log from a block on, backwards. */
export const feedNewsRange = (feed: FeedName, first: number): Range => ({
  pk: feedPartition(feed),
  between: { first: logBlockKey(feed, first).sk, last: 'PENDING#~' },
  descending: true,
});

/** A part of what is pending: after a place, and up to another one. */
export interface PlaceRange {
  readonly after?: string | undefined;
  readonly through?: string | undefined;
}
/** The pending changes of a feed; default: all. */
export const pendingChangesRange = (feed: FeedName, { after, through = lastPlace }: PlaceRange = {}): Range => ({
  pk: feedPartition(feed),
  between: {
    // Behind the id, before every other one.
    first: after === undefined ? 'PENDING#' : `PENDING#${after}~`,
    last: `PENDING#${through}`,
  },
});

/** The log of a feed from a block on, with its end. */
export const logRange = (feed: FeedName, first: number): Range => ({
  pk: feedPartition(feed),
  between: { first: logBlockKey(feed, first).sk, last: logEndKey(feed).sk },
});
