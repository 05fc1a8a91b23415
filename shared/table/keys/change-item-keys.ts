import type { AppId, ConnectionId, UserId } from '#shared/contract/fields.ts';
import { type ChangeSpan, type IndexKey, type Key, type Range, rangeOfSpan } from '../key.ts';

/** One change in its user's history or, without a user, in its application's; `gsi1` lists the application's whole history. */
export const userChangeKey = (userId: UserId, changeId: string): Key => ({
  pk: `USER#${userId}`,
  sk: `CHANGE#${changeId}`,
});
export const applicationChangeKey = (appId: AppId, changeId: string): Key => ({
  pk: `APP#${appId}`,
  sk: `CHANGE#${changeId}`,
});
/** One change of a connection, which only the index of all changes lists. */
export const connectionChangeKey = (connectionId: ConnectionId, changeId: string): Key => ({
  pk: `CONNECTION#${connectionId}`,
  sk: `CHANGE#${changeId}`,
});

export const changeIndexKey = (appId: AppId, changeId: string): IndexKey => ({
  gsi1pk: `APP#${appId}#CHANGES`,
  gsi1sk: changeId,
});

/** A change of a user that concerns every application. */
export const userChangeIndexKey = (changeId: string): IndexKey => ({
  gsi1pk: 'USERS#CHANGES',
  gsi1sk: changeId,
});

/** The change that records a user's erasure; it outlives the user's other items, and sorts after the user's other changes. */
export const erasureKey = (userId: UserId, changeId: string): Key => ({
  pk: `USER#${userId}`,
  sk: `CHANGE#ERASED#${changeId}`,
});
export const isChangeKey = ({ sk }: Key): boolean => sk.startsWith('CHANGE#');
export const isErasure = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).startsWith('CHANGE#ERASED#');

/**
 * The place of a change in the index `gsi2`, which lists the changes of all users and applications by id. Ids increase with
 * time, so a single partition could be a hot spot; their last character, which is random, distributes them over several.
 */
export const historyIndexKey = (changeId: string) => ({
  gsi2pk: historyPartition('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(changeId.slice(-1)) % historyPartitions),
  gsi2sk: changeId,
});
const historyPartition = (number: number) => `HISTORY#${number}`;
/** Each takes 1,000 changes of up to 1 KB a second. */
const historyPartitions = 16;

/** The changes of a user, in one application if one is given, the latest first. */
export const userChangesRange = (userId: UserId, appId?: AppId): Range => ({
  pk: `USER#${userId}`,
  prefix: 'CHANGE#',
  descending: true,
  ...(appId !== undefined && { where: { attribute: 'appId', value: appId } }),
});

/** The changes of an application itself and of its roles. */
export const ownChangesRange = (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'CHANGE#', descending: true });

/** The changes of a connection. */
export const connectionChangesRange = (connectionId: ConnectionId, span: ChangeSpan): Range => ({
  pk: `CONNECTION#${connectionId}`,
  ...rangeOfSpan('CHANGE#', span),
});

/** The changes of an application, and of access to it. */
export const applicationChangesRange = (appId: AppId, span: ChangeSpan): Range => ({
  index: 'gsi1',
  pk: `APP#${appId}#CHANGES`,
  ...rangeOfSpan('', span),
});

/** One change of an application or, without one, of those of users that concern every application. */
export const listedChangeRange = (appId: AppId | undefined, changeId: string): Range => ({
  index: 'gsi1',
  pk: appId === undefined ? 'USERS#CHANGES' : `APP#${appId}#CHANGES`,
  prefix: changeId,
});

/** The changes of users that concern every application. */
export const userChangesForAllRange = (span: ChangeSpan): Range => ({
  index: 'gsi1',
  pk: 'USERS#CHANGES',
  ...rangeOfSpan('', span),
});

/** The changes of a user, and separately the erasures of users with this id. */
export const userHistoryRanges = (userId: UserId, span: ChangeSpan): Range[] =>
  [userChangeKey, erasureKey].map((keyOf) => ({ pk: `USER#${userId}`, ...rangeOfSpan(keyOf(userId, '').sk, span) }));

/** The global history, by partition. */
export const historyRanges = (span: ChangeSpan): Range[] =>
  Array.from({ length: historyPartitions }, (_, number) => ({
    index: 'gsi2',
    pk: historyPartition(number),
    ...rangeOfSpan('', span),
  }));
