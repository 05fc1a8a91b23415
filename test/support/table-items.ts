import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { accessEntryKey, accessIndexKey, accessKey } from '#shared/table/keys/access-item-keys.ts';
import { keyUseKey } from '#shared/table/keys/api-key-item-keys.ts';
import { applicationIndexKey, applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { memberKey, roleKey } from '#shared/table/keys/role-item-keys.ts';
import { inactiveMarkKey, userEntryKey, userKey } from '#shared/table/keys/user-item-keys.ts';
import { storedAccess, storedApplication, storedMember, storedRole, storedUser } from './stored-items.ts';

/*
 * Complete items with their keys, for tests that put them into a table. Ids are plain text, and a test sets only the
 * attributes that it is about.
 */

type Ids = 'userId' | 'appId' | 'role';

/** Any attributes of an item, including the marks of a deletion. */
type Given<Stored> = Partial<Omit<Stored, Ids>> &
  Partial<Record<Ids, string>> & {
    readonly deleting?: boolean;
    readonly swept?: boolean;
    readonly closedUntil?: string;
  };

export function userItem(given: Given<ReturnType<typeof storedUser>> = {}) {
  const user = { ...storedUser(), ...(given as object) };
  return { ...userKey(user.userId), ...user };
}

/** The entry of a user in the list of all users. */
export function userEntryItem(userId: string) {
  return { ...userEntryKey(userId as UserId), userId };
}

export function inactiveMarkItem(userId: string, changeId: string | null = 'A') {
  return { ...inactiveMarkKey(userId as UserId), userId, changeId };
}

export function applicationItem(given: Given<ReturnType<typeof storedApplication>> = {}) {
  const application = { ...storedApplication(), ...(given as object) };
  return { ...applicationKey(application.appId), ...applicationIndexKey(application.appId), ...application };
}

export function keyUseItem(appId: string, keyId: string, lastUsedOn = '2026-11-19') {
  return { ...keyUseKey({ appId: appId as AppId }, keyId), lastUsedOn };
}

export function accessItem(given: Given<ReturnType<typeof storedAccess>> = {}) {
  const access = { ...storedAccess(), ...(given as object) };
  const { userId, appId } = access;
  return { ...accessKey(userId, appId), ...accessIndexKey(userId, appId), ...access };
}

/** The entry of an access in the list of an application's users. */
export function accessEntryItem(appId: string, userId: string) {
  return { ...accessEntryKey(appId as AppId, userId as UserId), userId };
}

export function roleItem(given: Given<ReturnType<typeof storedRole>> = {}) {
  const role = { ...storedRole(), ...(given as object) };
  return { ...roleKey(role.appId, role.role), ...role };
}

/** By default of the role `editor` of `billing`. */
export function memberItem({
  appId = 'billing',
  role = 'editor',
  ...given
}: Given<ReturnType<typeof storedMember>> = {}) {
  const member = { ...storedMember(), ...(given as object) };
  return { ...memberKey(appId as AppId, role as RoleName, member.userId), ...member };
}
