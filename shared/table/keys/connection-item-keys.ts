import type { ConnectionId } from '#shared/contract/fields.ts';
import { type ChangeSpan, type IndexKey, type Key, type Range, rangeOfSpan } from '../key.ts';

/** One connection with its keys; `gsi1` lists all connections by id. */
export const connectionKey = (connectionId: ConnectionId): Key => ({
  pk: `CONNECTION#${connectionId}`,
  sk: 'CONNECTION',
});
export const connectionIndexKey = (connectionId: ConnectionId): IndexKey => ({
  gsi1pk: 'CONNECTIONS',
  gsi1sk: connectionId,
});

/** One change of a connection; no index lists it but that of all changes. */
export const connectionChangeKey = (connectionId: ConnectionId, changeId: string): Key => ({
  pk: `CONNECTION#${connectionId}`,
  sk: `CHANGE#${changeId}`,
});

/** All connections, by id. */
export const connectionsRange = (): Range => ({ index: 'gsi1', pk: 'CONNECTIONS' });

/** The changes of a connection. */
export const connectionChangesRange = (connectionId: ConnectionId, span: ChangeSpan): Range => ({
  pk: `CONNECTION#${connectionId}`,
  ...rangeOfSpan('CHANGE#', span),
});
