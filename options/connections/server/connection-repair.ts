import type { RecordedState } from '#shared/contract/change.ts';
import { connectionFields } from '#shared/contract/connection-fields.ts';
import { recordedFields } from '#shared/contract/field-forms.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { groupRolesOf } from '#shared/contract/group-roles.ts';
import { recordedConnection } from '#shared/domain/connection/connections.ts';
import { sweepConnection } from '#shared/domain/connection/delete-connection.ts';
import { partsOfKind } from '#shared/domain/connection/parts-of-kind.ts';
import type { FoundResource, OptionRepair, RepairedResource, Repairing } from '#shared/domain/request/option-repair.ts';
import { startDeletion } from '#shared/domain/request/settling.ts';
import { type Connection, readConnectionItem } from '#shared/table/items/connection-item.ts';
import { connectionChangesRange, connectionIndexKey, connectionKey } from '#shared/table/keys/connection-item-keys.ts';

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
