import * as v from 'valibot';
import { appIdSchema, roleNameSchema, textSchema } from '#shared/contract/fields.ts';
import { groupRoleText } from './group-roles-text.ts';

/** So that a connection and its Changes stay small. */
export const maxGroupRoles = 100;

export const groupRoleSchema = v.strictObject({ group: textSchema(256), appId: appIdSchema, role: roleNameSchema });
/** A role that the members of a directory's group get. */
export type GroupRole = Readonly<v.InferOutput<typeof groupRoleSchema>>;

/** Which groups of a directory assign which roles. */
export const groupRolesSchema = v.pipe(
  v.array(groupRoleSchema, 'must be a list'),
  v.maxLength(maxGroupRoles, `must have at most ${maxGroupRoles}`),
  v.check((rows) => new Set(rows.map(groupRoleText)).size === rows.length, 'must have each once'),
  v.metadata({ uniqueItems: true }),
);

/** The mapping of the text of a Change; empty for a state without one. */
export function groupRolesOf(text: unknown): GroupRole[] {
  const rows = v.parse(v.array(v.tuple([v.string(), v.string(), v.string()])), JSON.parse(String(text ?? '[]')));
  return rows.map(([group, appId, role]) => ({ group, appId, role }) as GroupRole);
}
