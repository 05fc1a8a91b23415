import type { ConnectionId } from '#shared/contract/fields.ts';
import type { ConnectionKind } from '#shared/contract/operation.ts';

/** What is kept of each connection of a kind, in items beside the connection; options add some by `options/connection-parts.ts`. */
export interface ConnectionPart {
  readonly kind: ConnectionKind;
  /** Whether anything is kept of the connection. */
  isKept(connectionId: ConnectionId): Promise<boolean>;
  /** Deletes some of what is kept of a deleted connection; false if there is nothing. */
  deleteItems(connectionId: ConnectionId): Promise<boolean>;
}
