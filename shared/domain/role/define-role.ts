import type { Changed } from '#shared/contract/answers.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { type RoleView, roleNameReuseSeconds } from '#shared/contract/role.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { transact } from '#shared/table/client.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { createRoleEntry, type Role, readRoleItem, updateRoleEntry } from '#shared/table/items/role-item.ts';
import { buildChange } from '../request/build-change.ts';
import { monotonicTimestamp, retryOnConflict } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';
import { revokeFromMembers } from './delete-role.ts';
import { roleView } from './roles.ts';

export interface RoleDefinition {
  readonly appId: AppId;
  readonly role: RoleName;
  readonly description: string | null;
}

/** A role as it now is, and what the request did to it. */
export type DefinedRole = Changed<RoleView> & { readonly created: boolean };

/** Defines a role, so that it can be assigned, or changes its description. One deleted moments ago is refused for a while. */
export async function defineRole(definition: RoleDefinition, context: RequestContext): Promise<DefinedRole> {
  return retryOnConflict(async () => {
    const found = await readRoleItem(definition.appId, definition.role);
    const at = now();
    if (found?.deleted) await purgeTombstone(found.role, context, at);
    else if (found !== undefined && found.role.description === definition.description) {
      return { ...roleView(found.role), changed: false, created: false };
    }
    return writeDefinition(definition, { stored: found?.role, isNew: found?.deleted !== false }, context, at);
  });
}

/** What a late request may have left under the deleted name must not take effect under the new one. */
async function purgeTombstone(deleted: Role, context: RequestContext, at: Date): Promise<void> {
  const free = new Date(Date.parse(deleted.updatedAt) + roleNameReuseSeconds * 1000);
  if (at < free) {
    const seconds = Math.ceil((free.getTime() - at.getTime()) / 1000);
    throw new ServiceError('role_in_use', {
      detail: `A role of this name was deleted moments ago. Define it again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  }
  const revoked = await revokeFromMembers(deleted, context);
  if (!revoked) throw new ServiceError('unavailable', { detail: 'The deleted role still has members. Try again.' });
}

/** The role that is stored under the name, and whether the definition makes it a new one. */
interface Stored {
  readonly stored: Role | undefined;
  readonly isNew: boolean;
}

async function writeDefinition(
  definition: RoleDefinition,
  { stored, isNew }: Stored,
  context: RequestContext,
  at: Date,
): Promise<DefinedRole | 'conflict'> {
  const before = isNew ? undefined : stored;
  const updatedAt = monotonicTimestamp(at, stored?.updatedAt ?? null);
  const version = (stored?.version ?? 0) + 1;
  const next: Role = { ...definition, version, createdAt: before?.createdAt ?? updatedAt, updatedAt };
  const change = buildChange(context, {
    action: 'role.defined',
    at: updatedAt,
    appId: definition.appId,
    role: definition.role,
    before: before === undefined ? null : { description: before.description, version: before.version },
    after: { description: next.description, version: next.version },
    reason: null,
  });
  const entry = stored === undefined ? createRoleEntry(next) : updateRoleEntry(stored, next);
  const outcome = await transact([entry, putChangeEntry(change)]);
  if (outcome.kind !== 'committed') return 'conflict';
  return { ...roleView(next), changed: true, created: isNew };
}
