import type { Change, RecordedState } from '#shared/contract/change.ts';
import { connectionFields } from '#shared/contract/connection-fields.ts';
import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import { groupRolesOf } from '#shared/contract/group-roles.ts';
import type { ConnectionKind } from '#shared/contract/operation.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import { queryItems, type TransactEntry } from '#shared/table/client.ts';
import { putNewEntry } from '#shared/table/expression.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { type Connection, type ConnectionItem, readConnectionItem } from '#shared/table/items/connection-item.ts';
import { repairEntry } from '#shared/table/items/repair-entry.ts';
import { connectionChangesRange, connectionIndexKey, connectionKey } from '#shared/table/keys/connection-item-keys.ts';
import { directoryRange } from '#shared/table/keys/directory-item-keys.ts';
import { recordedConnection } from '../connection/connections.ts';
import { sweepDirectory } from '../connection/delete-connection.ts';
import { monotonicTimestamp } from '../request/optimistic-locking.ts';
import { startDeletion } from '../request/settling.ts';
import { compareChain, fieldsOf, gapsIn, newestChanges, versionAfter } from './compare-chain.ts';
import { readGenuineChanges } from './genuine-changes.ts';
import { recordSteps, type Step, type Steps, stepsOr } from './record-steps.ts';
import { keyStepsOf, keysAfter } from './repair-keys.ts';
import type { RepairRun } from './repair-run.ts';

/** Repairs a connection with its keys, also one that was deleted, whose deletion it finishes. */
export async function repairConnection(connectionId: ConnectionId, run: RepairRun): Promise<void> {
  await run.untilWhole(() => repairOnce(connectionId, run));
}

async function repairOnce(connectionId: ConnectionId, run: RepairRun): Promise<boolean> {
  // Before its changes: one that is made meanwhile must not look as if it were lost.
  const found = await readConnectionItem(connectionId);
  const range = connectionChangesRange(connectionId, { descending: true });
  const { kept, forged } = await readGenuineChanges(range, run);
  const own = kept.map(({ change }) => change);
  const state = compareChain(found?.connection, own, forged);
  if (state.kind === 'behind') {
    const { next } = state;
    if (next.action === 'key.rotated' && found !== undefined) run.note('key', { connectionId, changeId: next.id });
    return run.apply(next, { connectionId }, appliedBy(connectionId, found?.connection, next));
  }
  if (found === undefined) {
    if (own.length > 0) run.note('orphan', { connectionId });
    return false;
  }
  run.nameGaps(gapsIn(own, own.length < newestChanges ? found.connection.createdAt : undefined));
  if (state.kind === 'whole') return found.deleted && finishDeletion(found, run);
  return run.repair('change-missing', { connectionId }, await record(found, own, run));
}

/** What the deletion of a directory has left, also where a late copy of an item brought it back. */
async function finishDeletion(
  { connection: { connectionId, kind }, swept }: ConnectionItem,
  run: RepairRun,
): Promise<boolean> {
  if (kind !== 'scim') return false;
  const { items } = await queryItems(directoryRange(connectionId), { limit: 1 });
  if (swept && items.length === 0) return false;
  return run.finish({ connectionId }, () => sweepDirectory(connectionId, startDeletion()));
}

function appliedBy(connectionId: ConnectionId, connection: Connection | undefined, change: Change): TransactEntry[] {
  const { at, after, action, integrity } = change;
  const last = { version: versionAfter(change), updatedAt: at, chainHead: integrity.mac };
  const key = connectionKey(connectionId);
  if (action === 'connection.deleted') {
    return [repairEntry(key, connection, { ...last, deleting: true, keys: {} }, ['gsi1pk', 'gsi1sk'])];
  }
  const settings = {
    ...fieldsOf(connectionFields, after),
    applications: applicationsOf(after),
    groupRoles: groupRolesOf(after?.groupRoles),
  };
  if (connection === undefined) {
    const created = { connectionId, kind: after?.kind as ConnectionKind, ...settings, keys: {}, createdAt: at };
    return [putNewEntry({ ...key, ...connectionIndexKey(connectionId), ...created, ...last })];
  }
  const set = action === 'connection.updated' ? settings : { keys: keysAfter(connection.keys, change) };
  return [repairEntry(key, connection, { ...set, ...last })];
}

/** A list in a Change is a text, with spaces. */
function applicationsOf(recorded: RecordedState | null): AppId[] {
  return String(recorded?.applications ?? '')
    .split(' ')
    .filter(Boolean) as AppId[];
}

/** Records a state whose Changes are missing. */
async function record(found: ConnectionItem, own: readonly Change[], run: RepairRun): Promise<TransactEntry[]> {
  const { connection, deleted } = found;
  const { connectionId } = connection;
  const recorded = recordedConnection(connection);
  const deletion: Step = { action: 'connection.deleted', before: recorded, after: null };
  const changes = recordSteps(deleted ? [deletion] : stepsOf(connection, recorded, own), {
    subject: { connectionId },
    last: own.at(-1),
    version: connection.version,
    context: run.context,
    at: monotonicTimestamp(connection),
    key: await latestChainKey(),
  });
  const newest = changes.at(-1) ?? changes[0];
  const last = { version: versionAfter(newest), chainHead: newest.integrity.mac, updatedAt: newest.at };
  return [
    repairEntry(connectionKey(connectionId), connection, last),
    ...changes.flatMap((change) => putChangeEntries(change)),
  ];
}

function stepsOf(connection: Connection, recorded: RecordedState, own: readonly Change[]): Steps {
  if (own.length === 0 && connection.version === 1) {
    return [{ action: 'connection.created', before: null, after: recorded }];
  }
  const before = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [
      name,
      own.findLast(({ after }) => after?.[name] !== undefined)?.after?.[name] ?? value,
    ]),
  );
  const isSame = Object.entries(recorded).every(([name, value]) => before[name] === value);
  const update: Step = { action: 'connection.updated', before, after: recorded };
  const keys = keyStepsOf(connection.keys, own);
  return stepsOr(update, isSame ? keys : [...keys, update]);
}
