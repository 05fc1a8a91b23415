import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import type { Key, Range } from '../key.ts';

/** One role; an application's roles are a range of its partition. */
export const roleKey = (appId: AppId, role: RoleName): Key => ({
  pk: `APP#${appId}`,
  sk: `ROLE#${role}`,
});

/** One grant, seen from the role: lists a role's members. */
export const memberKey = (appId: AppId, role: RoleName, userId: UserId): Key => ({
  pk: `APP#${appId}#ROLE#${role}`,
  sk: `USER#${userId}`,
});

/** The roles of an application, by name. */
export const rolesRange = (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'ROLE#' });

/** The members of a role, by id. */
export const membersRange = (appId: AppId, role: RoleName): Range => ({ pk: `APP#${appId}#ROLE#${role}` });
