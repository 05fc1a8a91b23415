import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { IndexKey, Key, Range } from '../key.ts';

/**
 * One access; a user's accesses are a range of the user's partition, and `gsi1` lists an application's by user. The key in
 * the index never changes, so that reading page by page misses no access.
 */
export const accessKey = (userId: UserId, appId: AppId): Key => ({
  pk: `USER#${userId}`,
  sk: `ACCESS#${appId}`,
});
export const accessIndexKey = (userId: UserId, appId: AppId): IndexKey => ({
  gsi1pk: `APP#${appId}#USERS`,
  gsi1sk: `user#${userId}`,
});

/** One access, seen from its application: lists the users who have one, strongly consistent. */
export const accessEntryKey = (appId: AppId, userId: UserId): Key => ({
  pk: `APP#${appId}#USERS`,
  sk: `USER#${userId}`,
});

/** The place of a block that has an end, in the index `gsi2`: lists those of all applications by their end. */
export const blockEndIndexKey = (until: string, { userId, appId }: { userId: UserId; appId: AppId }) => ({
  gsi2pk: 'ENDS',
  gsi2sk: `${until}#${appId}#${userId}`,
});

/** The accesses of a user, by application. */
export const userAccessesRange = (userId: UserId): Range => ({ pk: `USER#${userId}`, prefix: 'ACCESS#' });

/** The accesses of an application in the index, by user. */
export const applicationUsersRange = (appId: AppId, where?: Range['where']): Range => ({
  index: 'gsi1',
  pk: `APP#${appId}#USERS`,
  ...(where && { where }),
});

/** The accesses of an application, by user; strongly consistent. */
export const accessEntriesRange = (appId: AppId): Range => ({ pk: `APP#${appId}#USERS` });

/** The accesses with a block that ends after a time, and up to another, by their end. */
export const blockEndsRange = (after: string, upTo?: string): Range => ({
  index: 'gsi2',
  pk: 'ENDS',
  ...(upTo === undefined ? { above: `${after}~` } : { between: { first: `${after}~`, last: `${upTo}~` } }),
});
