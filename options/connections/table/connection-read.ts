import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import { type Item, readTogether } from '#shared/table/client.ts';
import {
  type AccessSubject,
  accessOrDefault,
  belongsTogether,
  readCurrentAccess,
  type UserAccess,
} from '#shared/table/items/access-item.ts';
import { type Application, applicationOf } from '#shared/table/items/application-item.ts';
import { userOf } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import { accessKey } from '#shared/table/keys/access-item-keys.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { type Connection, connectionOf } from './connection-item.ts';
import { connectionKey } from './connection-item-keys.ts';

/** What an endpoint read, once its caller is authorized. */
export interface ReadForConnection {
  readonly connection: Connection;
  /** Those that exist, of the ones that were asked for. */
  readonly applications: ReadonlyMap<AppId, Application>;
  readonly accesses: ReadonlyMap<AccessSubject, UserAccess>;
}

/** What an endpoint read for a caller who is not authorized yet. Only `authorizeConnection` unwraps it. */
export class GuardedRead<Read extends object = Omit<ReadForConnection, 'connection'>> {
  readonly #read: Unauthorized<Read>;

  constructor(read: Unauthorized<Read>) {
    this.#read = read;
  }

  unwrap(): Unauthorized<Read> {
    return this.#read;
  }
}

/** The connection is undefined if there is none. */
type Unauthorized<Read> = Read & { readonly connection: Connection | undefined };

/** Finds an item that was read, by its key. */
export type FindItem = (key: Key) => Item | undefined;

/** Reads a connection with up to 98 items, strongly consistent, in one request. */
export async function readWithConnection(
  connectionId: ConnectionId,
  keys: readonly Key[],
): Promise<GuardedRead<{ readonly find: FindItem }>> {
  const find = await readDistinct([connectionKey(connectionId), ...keys]);
  return new GuardedRead({ connection: connectionOf(find(connectionKey(connectionId))), find });
}

/** Each subject needs an application, a user and an access of the 100 keys of a BatchGetItem; the connection one more. */
export const maxSubjectsPerRead = 33;

/** Reads a connection with all that decides about up to 33 subjects, strongly consistent, in one request. */
export async function readForConnection(
  connectionId: ConnectionId,
  subjects: readonly AccessSubject[],
): Promise<GuardedRead> {
  const appIds = [...new Set(subjects.map(({ appId }) => appId))];
  const find = await readDistinct([
    connectionKey(connectionId),
    ...appIds.map(applicationKey),
    ...subjects.flatMap(({ userId, appId }) => [userKey(userId), accessKey(userId, appId)]),
  ]);
  const applications = new Map<AppId, Application>();
  for (const appId of appIds) {
    const application = applicationOf(find(applicationKey(appId)));
    if (application !== undefined) applications.set(appId, application);
  }
  const accesses = subjects.map(async (subject): Promise<[AccessSubject, UserAccess]> => {
    const { userId, appId } = subject;
    const access = accessOrDefault(find(accessKey(userId, appId)), userId, appId);
    const read = { user: userOf(find(userKey(userId))), access };
    return [subject, belongsTogether(read) ? read : await readCurrentAccess({ userId, appId })];
  });
  const connection = connectionOf(find(connectionKey(connectionId)));
  return new GuardedRead({ connection, applications, accesses: new Map(await Promise.all(accesses)) });
}

/** Reads items, each once: BatchGetItem refuses a key that is given twice. Returns how to find the item of a key. */
async function readDistinct(keys: readonly Key[]): Promise<FindItem> {
  const named = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);
  const distinct = new Map(keys.map((key) => [named(key), key]));
  const items = await readTogether([...distinct.values()]);
  const found = new Map([...distinct.keys()].map((name, n) => [name, items[n]]));
  return (key) => found.get(named(key));
}
