import { expect } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { applicationOf } from '#shared/table/items/application-item.ts';
import { userOf } from '#shared/table/items/user-item.ts';
import { accountOf } from '../../table/login-account-item.ts';
import { loginOf } from '../../table/login-item.ts';
import type { PoolWorld } from './pool-world.ts';

/** Expects that the pool has exactly what the table says, and that nothing is left to be told. */
export function expectMirrored({ memory, pool }: PoolWorld): void {
  const items = [...memory.table.items()];
  const accounts = items.filter(({ sk, userId }) => sk === 'USER' && userId !== undefined).flatMap(accountIn);
  const found = [...pool.users.values()].map(({ attributes, Enabled }) => ({
    userId: attributes['custom:user_id'],
    createdAt: attributes['custom:user_created_at'],
    enabled: Enabled,
    email: attributes.email_verified === 'true' ? attributes.email : null,
    name: attributes.name,
  }));
  // Whoever was never active with an address has none yet.
  const names = new Set(found.map(({ userId }) => userId));
  const expected = accounts.filter(({ userId, enabled, email }) => names.has(userId) || (enabled && email !== null));
  expect(found.toSorted(byUser)).toEqual(expected.toSorted(byUser));
  const logins = items.filter(({ sk, keys }) => sk === 'APP' && keys !== undefined).flatMap(loginIn);
  const clients = [...pool.clients.values()].map(({ ClientId, settings }) => {
    const { ClientName: appId, CallbackURLs: redirectUris } = settings;
    return { appId, redirectUris, clientId: ClientId };
  });
  const recorded = (appId: AppId) => items.find(({ pk }) => pk === `LOGIN#APP#${appId}`)?.clientId;
  expect(clients.toSorted(byApp)).toEqual(
    logins.map((login) => ({ ...login, clientId: recorded(login.appId) })).toSorted(byApp),
  );
  expect(items.filter(({ pk }) => pk === 'LOGINS')).toEqual([]);
}

type Item = Readonly<Record<string, unknown>>;

function accountIn(item: Item) {
  const user = userOf(item);
  if (user === undefined || accountOf(user) === undefined) return [];
  const { userId, createdAt, status, email, displayName } = user;
  return [{ userId, createdAt, enabled: status === 'active', email, name: displayName ?? userId }];
}

function loginIn(item: Item) {
  const application = applicationOf(item);
  const login = application && loginOf(application);
  return application && login ? [{ appId: application.appId, redirectUris: login.redirectUris }] : [];
}

const byUser = (one: { userId?: string | undefined }, other: { userId?: string | undefined }) =>
  `${one.userId}`.localeCompare(`${other.userId}`);
const byApp = (one: { appId: string }, other: { appId: string }) => one.appId.localeCompare(other.appId);
