import type { Changed } from '#shared/contract/answers.ts';
import { equalFields, type FieldValues, pickFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import type { RoleView } from '#shared/contract/role.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import {
  createRoleEntry,
  type NextRole,
  type Role,
  readRoleItem,
  updateRoleEntry,
} from '#shared/table/items/role-item.ts';
import { buildChange } from '../request/build-change.ts';
import { monotonicTimestamp } from '../request/optimistic-locking.ts';
import { type Decision, identity, performOnce, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { startDeletion } from '../request/settling.ts';
import { roleView } from './roles.ts';
import { sweepRole } from './sweep-role.ts';

export interface RoleDefinition extends FieldValues<typeof roleFields> {
  readonly appId: AppId;
  readonly role: RoleName;
}

/** The role after the request, and whether the request created or changed it. */
export type DefinedRole = Changed<RoleView> & { readonly created: boolean };

/**
 * Defines a role, so that it can be assigned, or changes its description. A deleted role is first revoked from all users
 * who may still hold it, which takes some seconds.
 */
export async function defineRole(definition: RoleDefinition, context: RequestContext): Promise<DefinedRole> {
  try {
    return await write(definition, context);
  } catch (error) {
    if (!(error instanceof UnsweptRole)) throw error;
    const { role } = error;
    return performOnce<DefinedRole, DefinedRole>(context, identity, async () => {
      await finishSweep(role, context);
      return write(definition, context);
    });
  }
}

/** The name belongs to a deleted role that users may still hold: 503, unless the sweep is completed first. */
class UnsweptRole extends ServiceError {
  readonly role: Role;

  constructor(role: Role) {
    super('unavailable', { detail: 'This role is being deleted. Try again.' });
    this.role = role;
  }
}

async function write(definition: RoleDefinition, context: RequestContext): Promise<DefinedRole> {
  return performWrite<DefinedRole, DefinedRole>(context, {
    decide: (key) => decideDefinition(definition, context, key),
    toStored: identity,
    fromStored: identity,
  });
}

/** Completes the deletion, so that a new role of the same name starts without members. */
async function finishSweep(role: Role, context: RequestContext): Promise<void> {
  if (await sweepRole(role, context, startDeletion())) return;
  throw new ServiceError('unavailable', { detail: 'The deleted role still has members. Try again.' });
}

async function decideDefinition(
  definition: RoleDefinition,
  context: RequestContext,
  key: ChainKey,
): Promise<Decision<DefinedRole>> {
  const found = await readRoleItem(definition.appId, definition.role);
  // A dry run decides as if the sweep were complete.
  if (found?.deleted && !found.swept && context.dryRun !== true) throw new UnsweptRole(found.role);
  const before = found?.deleted ? undefined : found?.role;
  if (before !== undefined && equalFields(roleFields, before, definition)) {
    return { answer: { ...roleView(before), changed: false, created: false } };
  }
  const updatedAt = monotonicTimestamp(found?.role ?? {});
  const version = (found?.role.version ?? 0) + 1;
  const next: NextRole = { ...definition, version, createdAt: before?.createdAt ?? updatedAt, updatedAt };
  const change = buildChange(context, key, {
    action: 'role.defined',
    at: updatedAt,
    appId: definition.appId,
    role: definition.role,
    before: before === undefined ? null : { ...pickFields(roleFields, before), version: before.version },
    after: { ...pickFields(roleFields, next), version },
    previous: found?.role.chainHead ?? null,
  });
  const answer = { ...roleView(next), changed: true, created: before === undefined };
  const entry = found === undefined ? createRoleEntry(next, change) : updateRoleEntry(found.role, next, change);
  return { answer, entries: [entry, ...putChangeEntries(change)] };
}
