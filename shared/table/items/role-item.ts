import * as v from 'valibot';
import type { Change } from '#shared/contract/change.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems } from '../client.ts';
import { deleteEntry, putEntry, putNewEntry, updateEntry } from '../expression.ts';
import { absentText, chainHead, deletingMark, nullableText, parseItem, storedId } from '../item-schema.ts';
import type { Key } from '../key.ts';
import { applicationKey } from '../keys/application-item-keys.ts';
import { memberKey, roleKey } from '../keys/role-item-keys.ts';
import { epochSeconds, secondsPerDay } from '../ttl.ts';
import { applicationOf, requireApplication } from './application-item.ts';

const roleItemSchema = v.object({
  appId: storedId<AppId>(),
  role: storedId<RoleName>(),
  ...fieldEntries(roleFields, 'stored'),
  version: v.number(),
  createdAt: v.string(),
  /** For a deleted role, when it was deleted. */
  updatedAt: v.string(),
  chainHead,
  deleting: deletingMark,
  /** For a deleted role: whether it has been revoked from all users and no earlier request can still assign it. */
  swept: v.optional(v.boolean(), false),
  /** Until this time it cannot be assigned, because it may be about to be deleted. */
  closedUntil: absentText,
});

type RoleMarks = 'deleting' | 'swept' | 'closedUntil';
export type Role = Readonly<Omit<v.InferOutput<typeof roleItemSchema>, RoleMarks>>;

/** A role as stored, even after it was deleted. */
export interface RoleItem {
  readonly role: Role;
  readonly deleted: boolean;
  readonly swept: boolean;
  readonly closedUntil: string | undefined;
}

/** The role of an item, even after it was deleted. */
export function roleItemOf(item: Item | undefined): RoleItem | undefined {
  if (item === undefined) return undefined;
  const { deleting, swept, closedUntil, ...role } = parseItem(roleItemSchema, item);
  return { role, deleted: deleting, swept, closedUntil };
}

/** The role of an item; undefined if it was deleted. */
export function roleOf(item: Item | undefined): Role | undefined {
  const found = roleItemOf(item);
  return found?.deleted === true ? undefined : found?.role;
}

/** The name of an item's role, even if the rest of the item is damaged. */
export function roleNameOf(item: Item): RoleName {
  return parseItem(v.object({ role: storedId<RoleName>() }), item).role;
}

/** Reads a role, even after it was deleted, of an application that must exist; strongly consistent. */
export async function readRoleItem(appId: AppId, role: RoleName): Promise<RoleItem | undefined> {
  const [application, item] = await readItems([applicationKey(appId), roleKey(appId, role)]);
  requireApplication(applicationOf(application));
  return roleItemOf(item);
}

/** The version of a deleted role that is not swept yet; undefined if it is swept, has been defined again, or does not exist. */
export async function readUnsweptVersion(appId: AppId, role: RoleName): Promise<number | undefined> {
  const [item] = await readItems([roleKey(appId, role)]);
  const found = roleItemOf(item);
  return found?.deleted && !found.swept ? found.role.version : undefined;
}

/** The role, or 404 `role_not_found`. */
export async function readExistingRole(appId: AppId, role: RoleName): Promise<Role> {
  const found = await readRoleItem(appId, role);
  if (found !== undefined && !found.deleted) return found.role;
  throw new ServiceError('role_not_found', { detail: 'The application has no role with this name.' });
}

/** A role to write; its Change becomes the head of its chain. */
export type NextRole = Omit<Role, 'chainHead'>;

/** Defines the role with its Change, if it does not exist yet. */
export function createRoleEntry(role: NextRole, { integrity }: Change) {
  return putNewEntry({ ...roleKey(role.appId, role.role), ...role, chainHead: integrity.mac });
}

/**
 * Writes the next version of a role with its Change, or defines a deleted role again, if the stored version is still the
 * one that was read.
 */
export function updateRoleEntry(read: Role, { appId, role, ...set }: NextRole, { integrity }: Change) {
  return updateEntry({
    key: roleKey(appId, role),
    set: { ...set, chainHead: integrity.mac },
    remove: ['deleting', 'swept', 'closedUntil', 'ttl'],
    equals: { version: read.version },
  });
}

/** Closes the role until this time: it cannot be assigned, because it may be about to be deleted. */
export function closeRoleEntry({ appId, role, version }: Role, closedUntil: string) {
  return updateEntry({ key: roleKey(appId, role), set: { closedUntil }, equals: { version }, absent: ['deleting'] });
}

/** Reopens the role, if it is still closed until this time. */
export function reopenRoleEntry({ appId, role }: Role, closedUntil: string) {
  return updateEntry({ key: roleKey(appId, role), set: {}, remove: ['closedUntil'], equals: { closedUntil } });
}

/** Marks the role as deleted, which reserves its name until it has been revoked from all users. */
export function tombstoneRoleEntry({ role: read, closedUntil }: RoleItem, { at, integrity }: Change) {
  const { appId, role, version } = read;
  return updateEntry({
    key: roleKey(appId, role),
    set: { deleting: true, swept: false, version: version + 1, updatedAt: at, chainHead: integrity.mac },
    // Without its closing, it cannot be reopened.
    remove: ['ttl', 'closedUntil'],
    equals: { version, ...(closedUntil !== undefined && { closedUntil }) },
    absent: ['deleting'],
  });
}

/** Records that a deleted role has been revoked from all users; its tombstone then expires after a day. */
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
  /** The time of the grant. */
  grantedAt: v.string(),
});

/** One grant, seen from its role. */
export type Member = Readonly<v.InferOutput<typeof memberItemSchema>>;

export function memberOf(item: Item): Member {
  return parseItem(memberItemSchema, item);
}

/** Lists a grant under its role; DynamoDB removes the entry some time after the grant expires. */
export function putMemberEntry(appId: AppId, role: RoleName, member: Member) {
  const { userId, expiresAt } = member;
  const ttl = expiresAt === null ? {} : { ttl: epochSeconds(expiresAt) };
  return putEntry({ ...memberKey(appId, role, userId), ...member, ...ttl });
}

/** Removes an entry as it was read, unless a new grant has replaced it. */
export function deleteReadMemberEntry(item: Item & Key) {
  return deleteEntry(item, { equals: { grantedAt: memberOf(item).grantedAt } });
}

/** Removes a grant from the list of its role; a missing entry is not an error. */
export function deleteMemberEntry(appId: AppId, role: RoleName, userId: UserId) {
  return deleteEntry(memberKey(appId, role, userId));
}
