import { accessFields } from '#shared/contract/access-fields.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import type { AppId, KeyId, UserId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { deriveSecret } from '#shared/keys/key-id.ts';
import { connectedItems, type Item, type Receivers, webhookStates, webhooksOf } from './connected-items.ts';
import { chainHead, keyState, rootKey, writtenAt } from './stored-before.ts';

/** The number of items of each kind in a table. */
export interface Population {
  readonly users: number;
  /** How many of the users, counted from the first, have an explicit access to the first application. */
  readonly accesses: number;
  readonly applications: number;
  readonly keysPerApplication: number;
  /** Roles of the first application, all granted to each user with an access. */
  readonly rolesPerUser: number;
  /** Whether there are a gateway, and a directory that manages the first user. Default: false. */
  readonly connected?: boolean;
  /** The webhooks of the first application. Default: none. */
  readonly receivers?: Receivers;
}

/** A key and the secret that the service derives for it. */
export interface BenchKey {
  readonly keyId: KeyId;
  readonly secret: string;
}

export const userIdAt = (at: number) => `user-${String(at).padStart(7, '0')}` as UserId;
export const appIdAt = (at: number) => `app-${String(at).padStart(4, '0')}` as AppId;
const roleAt = (at: number) => `role-${String(at).padStart(3, '0')}`;
const keyIdAt = (appId: AppId, at: number) => `svk_k1_${appId}_${String(at).padStart(26, '0')}` as KeyId;

/** The id of a Change. */
const writtenBy = '01KAGTWWG00000000000000000';

/** The first key of an application. */
export function benchKeyOf(appId: AppId): BenchKey {
  const keyId = keyIdAt(appId, 0);
  return { keyId, secret: deriveSecret(rootKey, keyId) };
}

/** The first key of the first application. */
export const benchKey: BenchKey = benchKeyOf(appIdAt(0));

/** Every item of a population, as the service would have written it. */
export function* itemsOf(population: Population): Generator<Item> {
  for (let at = 0; at < population.applications; at++) yield applicationItem(appIdAt(at), population);
  for (let at = 0; at < population.rolesPerUser; at++) yield roleItem(roleAt(at));
  for (let at = 0; at < population.users; at++) yield* userItems(userIdAt(at));
  for (let at = 0; at < population.accesses; at++) yield* accessItems(userIdAt(at), population);
  if (population.connected) yield* connectedItems({ appId: appIdAt(0), userId: userIdAt(0), role: roleAt(0) });
  yield* webhookStates(appIdAt(0), population.receivers ?? {});
}

function applicationItem(appId: AppId, { keysPerApplication, receivers }: Population): Item {
  const webhooks = appId === appIdAt(0) && receivers !== undefined ? webhooksOf(receivers) : undefined;
  const state = { ...keyState, scopes };
  const keys = Array.from({ length: keysPerApplication }, (_, at) => [keyIdAt(appId, at), state]);
  return {
    pk: `APP#${appId}`,
    sk: 'APP',
    gsi1pk: 'APPS',
    gsi1sk: appId,
    appId,
    name: 'An application',
    rolloutPercent: 100,
    requestsPerSecond: null,
    requireReason: null,
    reviewEveryDays: null,
    keys: Object.fromEntries(keys),
    ...(webhooks && { webhooks }),
    version: 1 + keysPerApplication + Object.keys(webhooks ?? {}).length,
    createdAt: writtenAt,
    updatedAt: writtenAt,
    chainHead,
  };
}

function roleItem(role: string): Item {
  const appId = appIdAt(0);
  return {
    pk: `APP#${appId}`,
    sk: `ROLE#${role}`,
    appId,
    role,
    description: null,
    version: 1,
    createdAt: writtenAt,
    updatedAt: writtenAt,
    chainHead,
  };
}

function* userItems(userId: UserId): Generator<Item> {
  yield {
    pk: `USER#${userId}`,
    sk: 'USER',
    userId,
    status: 'active',
    displayName: 'A user',
    email: `${userId}@example.com`,
    version: 1,
    createdAt: writtenAt,
    updatedAt: writtenAt,
    lastChangeId: writtenBy,
    chainHead,
    words: searchTextOf(userId),
    statusChangeId: null,
  };
  yield { pk: 'USERS', sk: userId, userId };
  yield* searchItems(userId);
}

/** The e-mail address, the joined words of the name, and the second word of the id; the first begins the address. */
const wordsOf = (userId: UserId) => [`${userId}@example.com`, 'auser', userId.slice('user-'.length)];

/** As stored, with the format of the search. */
const searchTextOf = (userId: UserId) => `2 ${wordsOf(userId).join(' ')}`;

function* searchItems(userId: UserId): Generator<Item> {
  const words = searchTextOf(userId);
  for (const word of wordsOf(userId)) {
    yield { pk: `FIND#${word.slice(0, 2)}`, sk: `${word}#${userId}`, userId, word, words };
  }
}

function* accessItems(userId: UserId, { rolesPerUser }: Population): Generator<Item> {
  const appId = appIdAt(0);
  const roles = Array.from({ length: rolesPerUser }, (_, at) => roleAt(at));
  const grant = { grantedAt: writtenAt, expiresAt: null };
  yield {
    pk: `USER#${userId}`,
    sk: `ACCESS#${appId}`,
    gsi1pk: `APP#${appId}#USERS`,
    gsi1sk: `user#${userId}`,
    userId,
    appId,
    status: 'enabled',
    ...unsetFields(accessFields),
    roles: Object.fromEntries(roles.map((role) => [role, { ...grant, changeId: writtenBy }])),
    version: 1 + rolesPerUser,
    updatedAt: writtenAt,
    userCreatedAt: writtenAt,
    lastChangeId: writtenBy,
    statusChangeId: writtenBy,
    chainHead,
  };
  yield { pk: `APP#${appId}#USERS`, sk: `USER#${userId}`, userId };
  for (const role of roles) yield { pk: `APP#${appId}#ROLE#${role}`, sk: `USER#${userId}`, userId, ...grant };
}
