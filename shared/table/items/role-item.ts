import * as v from 'valibot';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { fieldEntries, roleFields } from '#shared/contract/resource-fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems } from '../client.ts';
import { deleteEntry, putEntry, putNewEntry, updateEntry } from '../expression.ts';
import { absentText, chainHead, deletingMark, nullableText, parseItem, storedId } from '../item-schema.ts';
import { applicationKey, epochSeconds, type Key, memberKey, roleKey } from '../keys.ts';
import { applicationOf, requireApplication } from './application-item.ts';

const secondsPerDay = 86_400;

const roleItemSchema = v.object({
  appId: storedId<AppId>(),
  role: storedId<RoleName>(),
  ...fieldEntries(roleFields, 'stored'),
  version: v.number(),
  createdAt: v.string(),
  /** Of a deleted role, when it was deleted. */
  updatedAt: v.string(),
  chainHead,
  deleting: deletingMark,
  /** Of a deleted role: whether it was taken from everyone, and no request can give it any more. */
  swept: v.optional(v.boolean(), false),
  /** Until when it is not given to anyone, because it may be deleted. */
  closedUntil: absentText,
});

type RoleMarks = 'deleting' | 'swept' | 'closedUntil';
export type Role = Readonly<Omit<v.InferOutput<typeof roleItemSchema>, RoleMarks>>;

/** A role as it is stored, also after it was deleted. */
export interface RoleItem {
  readonly role: Role;
  readonly deleted: boolean;
  readonly swept: boolean;
  readonly closedUntil: string | undefined;
}

/** The role of an item, also after it was deleted. */
export function roleItemOf(item: Item | undefined): RoleItem | undefined {
  if (item === undefined) return undefined;
  const { deleting, swept, closedUntil, ...role } = parseItem(roleItemSchema, item);
  return { role, deleted: deleting, swept, closedUntil };
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

/** The version of a deleted role that was not swept yet; undefined when it was, or is defined again, or gone. */
export async function readUnsweptVersion(appId: AppId, role: RoleName): Promise<number | undefined> {
  const [item] = await readItems([roleKey(appId, role)]);
  const found = roleItemOf(item);
  return found?.deleted && !found.swept ? found.role.version : undefined;
}

/** Reads a role that must exist: 404 `role_not_found`. */
export async function readExistingRole(appId: AppId, role: RoleName): Promise<Role> {
  const found = await readRoleItem(appId, role);
  if (found !== undefined && !found.deleted) return found.role;
  throw new ServiceError('role_not_found', { detail: 'The application has no role with this name.' });
}

/** A role to write, whose head its Change is. */
export type NextRole = Omit<Role, 'chainHead'>;

/** Defines the role with its Change, once. */
export function createRoleEntry(role: NextRole, { integrity }: Change) {
  return putNewEntry({ ...roleKey(role.appId, role.role), ...role, chainHead: integrity.mac });
}

/**
 * Writes the next version of a role with its Change, or defines a deleted one again, if it is still the version that was
 * read.
 */
export function updateRoleEntry(read: Role, { appId, role, ...set }: NextRole, { integrity }: Change) {
  return updateEntry({
    key: roleKey(appId, role),
    set: { ...set, chainHead: integrity.mac },
    remove: ['deleting', 'swept', 'closedUntil', 'ttl'],
    equals: { version: read.version },
  });
}

/** Gives the role to nobody until then, because it may be deleted. */
export function closeRoleEntry({ appId, role, version }: Role, closedUntil: string) {
  return updateEntry({ key: roleKey(appId, role), set: { closedUntil }, equals: { version }, absent: ['deleting'] });
}

/** Takes that back. */
export function reopenRoleEntry({ appId, role }: Role, closedUntil: string) {
  return updateEntry({ key: roleKey(appId, role), set: {}, remove: ['closedUntil'], equals: { closedUntil } });
}

/** Marks the role as deleted, which reserves its name until it was taken from everyone. */
export function tombstoneRoleEntry({ role: read, closedUntil }: RoleItem, { at, integrity }: Change) {
  const { appId, role, version } = read;
  return updateEntry({
    key: roleKey(appId, role),
    set: { deleting: true, swept: false, version: version + 1, updatedAt: at, chainHead: integrity.mac },
    remove: ['ttl'],
    equals: { version, ...(closedUntil !== undefined && { closedUntil }) },
    absent: ['deleting'],
  });
}

/** Notes that a deleted role was taken from everyone; its mark then expires after a day. */
export function sweptRoleEntry({ appId, role, version }: Pick<Role, 'appId' | 'role' | 'version'>, at: string) {
  return updateEntry({
    key: roleKey(appId, role),
    set: { swept: true, ttl: epochSeconds(at) + secondsPerDay },
    equals: { version, deleting: true },
  });
}

const memberItemSchema = v.object({
  userId: storedId<UserId>(),
  expiresAt: nullableText,
  /** That of the grant. */
  grantedAt: v.string(),
});

/** One grant, seen from its role. */
export type Member = Readonly<v.InferOutput<typeof memberItemSchema>>;

export function memberOf(item: Item): Member {
  return parseItem(memberItemSchema, item);
}

/** Lists a grant under its role; DynamoDB removes the entry some time after the grant's end. */
export function putMemberEntry(appId: AppId, role: RoleName, member: Member) {
  const { userId, expiresAt } = member;
  const ttl = expiresAt === null ? {} : { ttl: epochSeconds(expiresAt) };
  return putEntry({ ...memberKey(appId, role, userId), ...member, ...ttl });
}

/** Removes an entry that was read, unless a grant has written it anew since. */
export function deleteReadMemberEntry(item: Item & Key) {
  return deleteEntry(item, { equals: { grantedAt: memberOf(item).grantedAt } });
}

/** Removes it from the list; one that is not there is no error. */
export function deleteMemberEntry(appId: AppId, role: RoleName, userId: UserId) {
  return deleteEntry(memberKey(appId, role, userId));
}
