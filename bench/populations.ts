import './environment.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import type { Item } from '#shared/table/client.ts';
import { accessOrDefault, type Grant, updateAccessEntry } from '#shared/table/items/access-item.ts';
import { type Application, createApplicationEntry } from '#shared/table/items/application-item.ts';
import { createRoleEntry, putMemberEntry } from '#shared/table/items/role-item.ts';
import { createUserEntry } from '#shared/table/items/user-item.ts';
import { type BenchKey, createBenchKey } from './bench-keys.ts';

/** How many there are of what. */
export interface Population {
  readonly users: number;
  /** So many of the users, the first ones, have an explicit access to the first application. */
  readonly accesses: number;
  readonly applications: number;
  readonly keysPerApplication: number;
  /** Granted to each of these users in the first application. */
  readonly rolesPerUser: number;
}

/** When all of it was written. */
export const writtenAt = '2026-11-20T12:00:00.000Z';

export const userIdAt = (at: number) => `user-${String(at).padStart(7, '0')}` as UserId;
export const appIdAt = (at: number) => `app-${String(at).padStart(4, '0')}` as AppId;
export const roleAt = (at: number) => `role-${String(at).padStart(3, '0')}` as RoleName;

/** The keys of the first application, the oldest first. */
export function createKeys({ keysPerApplication }: Population): BenchKey[] {
  return Array.from({ length: keysPerApplication }, () => createBenchKey(appIdAt(0)));
}

/** Every item of a population as the service would have written it, one after the other. */
export function* itemsOf(population: Population, keys: readonly BenchKey[]): Generator<Item> {
  for (let at = 0; at < population.applications; at++) yield applicationItem(at, population, keys);
  for (let at = 0; at < population.rolesPerUser; at++) yield roleItem(at);
  for (let at = 0; at < population.users; at++) yield* userItems(at, population);
}

function applicationItem(at: number, population: Population, keys: readonly BenchKey[]): Item {
  const state = { scopes, createdAt: writtenAt, expiresAt: null, revokedAt: null };
  const own =
    at === 0 ? keys : createKeys(population).map(({ keyId }) => ({ keyId: keyId.replace(appIdAt(0), appIdAt(at)) }));
  const application: Application = {
    appId: appIdAt(at),
    name: `Application ${at}`,
    keys: Object.fromEntries(own.map(({ keyId }) => [keyId, state])),
    version: 1 + population.keysPerApplication,
    createdAt: writtenAt,
    updatedAt: writtenAt,
  };
  return createApplicationEntry(application).Put.Item;
}

function roleItem(at: number): Item {
  const role = { appId: appIdAt(0), role: roleAt(at), description: null, version: 1 };
  return createRoleEntry({ ...role, createdAt: writtenAt, updatedAt: writtenAt }).Put.Item;
}

function* userItems(at: number, { accesses, rolesPerUser }: Population): Generator<Item> {
  const userId = userIdAt(at);
  const user = {
    userId,
    status: 'active',
    displayName: `User ${at}`,
    email: `${userId}@example.com`,
    version: 1,
  } as const;
  yield createUserEntry({ ...user, createdAt: writtenAt, updatedAt: writtenAt }).Put.Item;
  if (at >= accesses) return;
  const grant: Grant = { grantedAt: writtenAt, expiresAt: null };
  const names = Array.from({ length: rolesPerUser }, (_, role) => roleAt(role));
  yield accessItem(userId, Object.fromEntries(names.map((name) => [name, grant])));
  for (const name of names) yield putMemberEntry(appIdAt(0), name, { userId, expiresAt: null }).Put.Item;
}

function accessItem(userId: UserId, roles: Readonly<Record<string, Grant>>): Item {
  const read = accessOrDefault(undefined, userId, appIdAt(0));
  const version = 1 + Object.keys(roles).length;
  return itemOfUpdate(
    updateAccessEntry(read, { ...read, status: 'enabled', roles, version, updatedAt: writtenAt }).Update,
  );
}

/** The item that an update leaves where there was none: its key, and each attribute that the expression sets. */
function itemOfUpdate(update: ReturnType<typeof updateAccessEntry>['Update']): Item {
  const { Key, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = update;
  const names: Readonly<Record<string, string>> = ExpressionAttributeNames;
  const values: Readonly<Record<string, unknown>> = ExpressionAttributeValues;
  const set = [...UpdateExpression.matchAll(/(#\w+) = (:\w+)/g)];
  return { ...Key, ...Object.fromEntries(set.map(([, name = '', value = '']) => [names[name], values[value]])) };
}
