import { applicationKey, isLive, userKey, userOf } from '#test/simulation/stored-state.ts';
import type { Item } from '../../../../local/memory/memory-table.ts';

/** The keys of what decides about an account, and about a client. */
export const keyOfUser = userKey;
export const keyOfApplication = applicationKey;

/** A user with an account; undefined for any other item, and for one who is being erased. */
export function accountIn(item: Item | undefined) {
  const user = userOf(item);
  if (!isLive(user) || !isFilled(user.account)) return undefined;
  const { userId, createdAt, status, email, displayName, account } = user;
  const { invitedAt, signedOutAt } = account as { readonly invitedAt: string; readonly signedOutAt: string | null };
  return {
    ...{ userId: String(userId), createdAt: String(createdAt), isActive: status === 'active', invitedAt, signedOutAt },
    ...{ email: email === null ? null : String(email), name: String(displayName ?? userId) },
  };
}

/** The addresses of the login of an application; undefined for any other item, and for a deleted application. */
export function loginIn(item: Item | undefined) {
  if (item === undefined || item.sk !== 'APP' || !isLive(item) || !isFilled(item.login)) return undefined;
  const { redirectUris } = item.login as { readonly redirectUris: readonly string[] };
  return { appId: String(item.appId), redirectUris };
}

/** The application of a client as the table records it; undefined for any other item. */
export function clientIn({ pk, sk, appId, clientId }: Item) {
  const isClient = String(pk).startsWith('LOGIN#APP#') && sk === 'CLIENT';
  return isClient ? { appId: String(appId), clientId: clientId === null ? null : String(clientId) } : undefined;
}

/** Whether an item says that something is left to be told. */
export function isLoginTask({ pk }: Item): boolean {
  return pk === 'LOGINS';
}

function isFilled(value: unknown): boolean {
  return Object.keys(Object(value)).length > 0;
}
