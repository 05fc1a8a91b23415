import type { ConnectionId } from '#shared/contract/fields.ts';
import type { IndexKey, Key, Range } from '#shared/table/key.ts';

/** One connection with its keys; `gsi1` lists all connections by id. */
export const connectionKey = (connectionId: ConnectionId): Key => ({
  pk: `CONNECTION#${connectionId}`,
  sk: 'CONNECTION',
});
export const connectionIndexKey = (connectionId: ConnectionId): IndexKey => ({
  gsi1pk: 'CONNECTIONS',
  gsi1sk: connectionId,
});

/** All connections, by id. */
export const connectionsRange = (): Range => ({ index: 'gsi1', pk: 'CONNECTIONS' });
