import type { ConnectionId } from '#shared/contract/fields.ts';
import type { Key, Range } from '#shared/table/key.ts';

/** The requests of a directory in one hour, and those that were refused, by time. */
export const hourKey = (connectionId: ConnectionId, at: string): Key => ({
  pk: activityPartition(connectionId),
  sk: `HOUR#${at.slice(0, 13)}`,
});
export const refusalKey = (connectionId: ConnectionId, ulid: string): Key => ({
  pk: activityPartition(connectionId),
  sk: `REFUSED#${ulid}`,
});
const activityPartition = (connectionId: ConnectionId) => `SCIM#${connectionId}#ACTIVITY`;

/** What was counted and refused of the requests of a directory. */
export const activityRange = (connectionId: ConnectionId): Range => ({ pk: activityPartition(connectionId) });

/** The hours since a time in which a directory sent requests. */
export const hoursRange = (connectionId: ConnectionId, since: string): Range => ({
  pk: activityPartition(connectionId),
  between: { first: hourKey(connectionId, since).sk, last: 'HOUR#~' },
});

/** The refused requests of a directory, the latest first. */
export const refusalsRange = (connectionId: ConnectionId): Range => ({
  pk: activityPartition(connectionId),
  prefix: 'REFUSED#',
  descending: true,
});
