import * as options from '#options/connection-parts.ts';
import { deleteRange } from '#shared/domain/request/delete-in-batches.ts';
import { activityRange } from '../table/activity-item-keys.ts';
import type { ConnectionPart } from './connection-part.ts';

/** The requests of a directory. What comes after its deletion expires. */
const activityPart: ConnectionPart = {
  kind: 'scim',
  isKept: async () => false,
  deleteItems: (connectionId) => deleteRange(activityRange(connectionId)),
};

const parts: readonly ConnectionPart[] = [activityPart, ...Object.values<ConnectionPart>(options)];

/** What is kept of each connection of this kind, beside the connection. */
export const partsOfKind = (kind: unknown): readonly ConnectionPart[] => parts.filter((part) => part.kind === kind);
