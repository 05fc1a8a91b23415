import * as v from 'valibot';
import type { Change } from '#shared/contract/change.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import type { AppId, ConnectionId, RoleName } from '#shared/contract/fields.ts';
import type { ConnectionKind, ConnectionScope } from '#shared/contract/operation.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems } from '#shared/table/client.ts';
import { putNewEntry, updateEntry } from '#shared/table/expression.ts';
import { chainHead, deletingMark, mapSchema, parseItem, storedId } from '#shared/table/item-schema.ts';
import { type KeyState, keyStateSchema } from '#shared/table/items/key-state.ts';
import { connectionFields } from '../contract/connection-fields.ts';
import { connectionIndexKey, connectionKey } from './connection-item-keys.ts';

const connectionItemSchema = v.object({
  connectionId: storedId<ConnectionId>(),
  /** May be one that only a newer version knows, whose endpoints are not here. */
  kind: storedId<ConnectionKind>(),
  ...fieldEntries(connectionFields, 'stored'),
  applications: v.array(storedId<AppId>()),
  /** Which groups of a directory assign which roles. Connections that were written before lack it. */
  groupRoles: v.optional(
    v.array(v.object({ group: v.string(), appId: storedId<AppId>(), role: storedId<RoleName>() })),
    [],
  ),
  /** By key id. */
  keys: mapSchema(keyStateSchema<ConnectionScope>()),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  chainHead,
  deleting: deletingMark,
  /** For a deleted directory: whether what it said has been deleted too. */
  swept: v.optional(v.boolean(), false),
});

/** Something outside the service that calls it with a bearer token, such as a gateway. */
export interface Connection
  extends Readonly<Omit<v.InferOutput<typeof connectionItemSchema>, 'deleting' | 'swept' | 'keys'>> {
  readonly keys: Readonly<Record<string, KeyState<ConnectionScope>>>;
}

/** The connection of an item; undefined if it was deleted, which leaves only its tombstone. */
export function connectionOf(item: Item | undefined): Connection | undefined {
  if (item === undefined) return undefined;
  const { deleting, swept: _, ...connection } = parseItem(connectionItemSchema, item);
  return deleting ? undefined : connection;
}

/** A connection read for a caller who is not authorized yet. Only `authorizeConnection` unwraps it. */
export class GuardedConnection {
  readonly #connection: Connection | undefined;

  /** Undefined if the connection does not exist. */
  constructor(connection: Connection | undefined) {
    this.#connection = connection;
  }

  unwrap(): Connection | undefined {
    return this.#connection;
  }
}

/** A connection as stored, even after it was deleted. */
export interface ConnectionItem {
  readonly connection: Connection;
  readonly deleted: boolean;
  readonly swept: boolean;
}

/** Reads one connection, even after it was deleted; strongly consistent. */
export async function readConnectionItem(connectionId: ConnectionId): Promise<ConnectionItem | undefined> {
  const [item] = await readItems([connectionKey(connectionId)]);
  return connectionItemOf(item);
}

/** A connection that was read with other items, even after it was deleted. */
export function connectionItemOf(item: Item | undefined): ConnectionItem | undefined {
  if (item === undefined) return undefined;
  const { deleting, swept, ...connection } = parseItem(connectionItemSchema, item);
  return { connection, deleted: deleting, swept };
}

/** The id of a listed connection. */
export function connectionIdOf(item: Item): ConnectionId {
  return parseItem(v.object({ connectionId: storedId<ConnectionId>() }), item).connectionId;
}

/** Reads a connection that must exist, for an operator; strongly consistent. */
export async function readExistingConnection(connectionId: ConnectionId): Promise<Connection> {
  const [item] = await readItems([connectionKey(connectionId)]);
  const connection = connectionOf(item);
  if (connection !== undefined) return connection;
  throw new ServiceError('connection_not_found', { detail: 'There is no connection with this id.' });
}

/** Creates the connection with its Change, if its id was never used. */
export function createConnectionEntry(connection: Omit<Connection, 'chainHead'>, { integrity }: Change) {
  const { connectionId } = connection;
  const keys = { ...connectionKey(connectionId), ...connectionIndexKey(connectionId) };
  return putNewEntry({ ...keys, ...connection, chainHead: integrity.mac });
}

/** Writes the next version of a connection with its Change, if the stored version is still the one that was read. */
export function updateConnectionEntry(
  read: Connection,
  { connectionId, createdAt, ...set }: Connection,
  { integrity }: Change,
) {
  return updateEntry({
    key: connectionKey(connectionId),
    set: { ...set, chainHead: integrity.mac },
    equals: { version: read.version },
    absent: ['deleting'],
  });
}

/** Turns the connection into a tombstone: not listed, without keys, its id permanently reserved. */
export function tombstoneConnectionEntry({ connectionId, version }: Connection, { at, integrity }: Change) {
  return updateEntry({
    key: connectionKey(connectionId),
    set: { deleting: true, keys: {}, version: version + 1, updatedAt: at, chainHead: integrity.mac },
    remove: ['gsi1pk', 'gsi1sk'],
    equals: { version },
    absent: ['deleting'],
  });
}

/** Records that what a deleted directory said has been deleted too. */
export function sweptConnectionEntry(connectionId: ConnectionId) {
  return updateEntry({ key: connectionKey(connectionId), set: { swept: true }, equals: { deleting: true } });
}
