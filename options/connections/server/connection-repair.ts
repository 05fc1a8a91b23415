import type { RecordedState } from '#shared/contract/change.ts';
import { recordedFields } from '#shared/contract/field-forms.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import type { FoundResource, OptionRepair, RepairedResource, Repairing } from '#shared/domain/request/option-repair.ts';
import { startDeletion } from '#shared/domain/request/settling.ts';
import { connectionChangesRange } from '#shared/table/keys/change-item-keys.ts';
import { connectionFields } from '../contract/connection-fields.ts';
import { groupRolesOf } from '../contract/group-roles.ts';
import { type Connection, readConnectionItem } from '../table/connection-item.ts';
import { connectionIndexKey, connectionKey } from '../table/connection-item-keys.ts';
import { recordedConnection } from './connections.ts';
import { sweepConnection } from './delete-connection.ts';
import { partsOfKind } from './parts-of-kind.ts';

interface FoundConnection extends FoundResource<Connection> {
  readonly swept: boolean;
}

const connections: RepairedResource<FoundConnection> = {
  actions: { created: 'connection.created', updated: 'connection.updated', deleted: 'connection.deleted' },
  // What a directory says stands in a partition beside that of its connection.
  partitions: ['CONNECTION', 'SCIM'],
  subjectOf: (connectionId) => ({ connectionId }),
  keyOf: (id) => connectionKey(id as ConnectionId),
  indexKeyOf: (id) => ({ ...connectionIndexKey(id as ConnectionId) }),
  changesOf: (id) => connectionChangesRange(id as ConnectionId, { descending: true }),
  read: async (id) => {
    const found = await readConnectionItem(id as ConnectionId);
    return found && { state: found.connection, deleted: found.deleted, swept: found.swept };
  },
  fixedIn: (connectionId, recorded) => ({ connectionId, kind: recorded?.kind }),
  settingsIn: (recorded) => ({
    ...recordedFields(connectionFields, recorded),
    applications: applicationsOf(recorded),
    groupRoles: groupRolesOf(recorded?.groupRoles),
  }),
  recordedOf: recordedConnection,
  finishDeletion,
};

/** A list in a Change is a text, with spaces. */
function applicationsOf(recorded: RecordedState | null): string[] {
  return String(recorded?.applications ?? '')
    .split(' ')
    .filter(Boolean);
}

async function finishDeletion({ state, swept }: FoundConnection, run: Repairing): Promise<boolean> {
  const { connectionId, kind } = state;
  const parts = partsOfKind(kind);
  if (parts.length === 0) return false;
  const kept = await Promise.all(parts.map((part) => part.isKept(connectionId)));
  if (swept && !kept.includes(true)) return false;
  return run.finish({ connectionId }, () => sweepConnection(state, startDeletion()));
}

/** Connections are repaired from their Changes, also one that was deleted, whose deletion is finished. */
export const connectionRepair: OptionRepair = { resources: [connections] };
