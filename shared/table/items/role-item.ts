import * as v from 'valibot';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems } from '../client.ts';
import { deleteEntry, putEntry, putNewEntry, updateEntry } from '../expression.ts';
import { deletingMark, optionalText, parseItem, storedId } from '../item-schema.ts';
import { applicationKey, epochSeconds, memberKey, roleKey } from '../keys.ts';
import { applicationOf, requireApplication } from './application-item.ts';

const secondsPerDay = 86_400;

const roleItemSchema = v.object({
  appId: storedId<AppId>(),
  role: storedId<RoleName>(),
  description: optionalText,
  version: v.number(),
  createdAt: v.string(),
  /** Of a deleted role, when it was deleted. */
  updatedAt: v.string(),
  deleting: deletingMark,
});

export type Role = Readonly<Omit<v.InferOutput<typeof roleItemSchema>, 'deleting'>>;

/** A role as it is stored, also after it was deleted. */
export interface RoleItem {
  readonly role: Role;
  readonly deleted: boolean;
}

function roleItemOf(item: Item | undefined): RoleItem | undefined {
  if (item === undefined) return undefined;
  const { deleting, ...role } = parseItem(roleItemSchema, item);
  return { role, deleted: deleting };
}

/** The role of an item; a deleted one no longer exists. */
export function roleOf(item: Item | undefined): Role | undefined {
  const found = roleItemOf(item);
  return found?.deleted === true ? undefined : found?.role;
}

/** The name of a role's item, whatever else of it is damaged. */
export function roleNameOf(item: Item): RoleName {
  return parseItem(v.object({ role: storedId<RoleName>() }), item).role;
}

/** Reads a role, also after it was deleted, of an application that must exist; strongly consistent. */
export async function readRoleItem(appId: AppId, role: RoleName): Promise<RoleItem | undefined> {
  const [application, item] = await readItems([applicationKey(appId), roleKey(appId, role)]);
  requireApplication(applicationOf(application));
  return roleItemOf(item);
}

/** Reads a role that must exist: 404 `role_not_found`. */
export async function readExistingRole(appId: AppId, role: RoleName): Promise<Role> {
  const found = await readRoleItem(appId, role);
  if (found !== undefined && !found.deleted) return found.role;
  throw new ServiceError('role_not_found', { detail: 'The application has no role with this name.' });
}

/** Defines the role, once. */
export function createRoleEntry(role: Role) {
  return putNewEntry({ ...roleKey(role.appId, role.role), ...role });
}

/** Writes the next version of a role, or defines a deleted one again, if it is still the version that was read. */
export function updateRoleEntry(read: Role, { appId, role, ...set }: Role) {
  return updateEntry({
    key: roleKey(appId, role),
    set,
    remove: ['deleting', 'ttl'],
    equals: { version: read.version },
  });
}

/** Marks the role as deleted, which reserves its name for a while; the mark expires after a day. */
export function tombstoneRoleEntry({ appId, role, version }: Role, at: string) {
  return updateEntry({
    key: roleKey(appId, role),
    set: { deleting: true, version: version + 1, updatedAt: at, ttl: epochSeconds(at) + secondsPerDay },
    equals: { version },
  });
}

const memberItemSchema = v.object({ userId: storedId<UserId>(), expiresAt: optionalText });

/** One grant, seen from its role. */
export type Member = Readonly<v.InferOutput<typeof memberItemSchema>>;

export function memberOf(item: Item): Member {
  return parseItem(memberItemSchema, item);
}

/** Lists a grant under its role; DynamoDB removes the entry some time after the grant's end. */
export function putMemberEntry(appId: AppId, role: RoleName, { userId, expiresAt }: Member) {
  const ttl = expiresAt === null ? {} : { ttl: epochSeconds(expiresAt) };
  return putEntry({ ...memberKey(appId, role, userId), userId, expiresAt, ...ttl });
}

/** Removes it from the list; one that is not there is no error. */
export function deleteMemberEntry(appId: AppId, role: RoleName, userId: UserId) {
  return deleteEntry(memberKey(appId, role, userId));
}
