import type { AppId, RoleName } from '#shared/contract/ids.ts';
import type { Changed, RoleView } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { transact } from '#shared/table/client.ts';
import { createRoleEntry, type Role, type RoleItem, readRoleItem, updateRoleEntry } from '#shared/table/role.ts';
import { laterMoment } from './later-moment.ts';
import { presentApplication } from './present-application.ts';
import { recordChange } from './record-change.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';
import { roleView } from './role-view.ts';
import { sweepMembers } from './sweep-members.ts';

/** Longer than any request lives: what read the role before it was deleted has ended by then. */
const restSeconds = 15;

export interface RoleDefinition {
  readonly appId: AppId;
  readonly role: RoleName;
  readonly description: string | null;
}

/** A role as it now stands, and what the request did to it. */
export type DefinedRole = Changed<RoleView> & { readonly created: boolean };

/** Defines a role, so that it can be assigned, or describes it anew. One deleted moments ago is refused for a while. */
export async function defineRole(wanted: RoleDefinition, context: RequestContext): Promise<DefinedRole> {
  return retryWhileMoving(async () => {
    const { application, item } = await readRoleItem(wanted.appId, wanted.role);
    presentApplication(application);
    const at = now();
    if (item?.deleting === true) await makeWay(item, context, at);
    if (item?.deleting !== true && item?.description === wanted.description) {
      return { ...roleView(item), changed: false, created: false };
    }
    return define(wanted, item, context, at);
  });
}

/** What a late request may have left under the deleted name must not come to life under the new one. */
async function makeWay(item: RoleItem, context: RequestContext, at: Date): Promise<void> {
  const free = new Date(Date.parse(item.updatedAt) + restSeconds * 1000);
  if (at < free) {
    const seconds = Math.ceil((free.getTime() - at.getTime()) / 1000);
    throw new ServiceError('role_in_use', {
      detail: `A role of this name was deleted moments ago. Define it again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  }
  const swept = await sweepMembers(item, context);
  if (!swept) throw new ServiceError('unavailable', { detail: 'The deleted role still has members. Try again.' });
}

async function define(wanted: RoleDefinition, item: RoleItem | undefined, context: RequestContext, at: Date) {
  const before = item?.deleting === true ? undefined : item;
  const updatedAt = laterMoment(at, item?.updatedAt ?? null);
  const next: Role = {
    ...wanted,
    version: (item?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? updatedAt,
    updatedAt,
  };
  const record = recordChange(context, {
    action: 'role.defined',
    at: updatedAt,
    appId: wanted.appId,
    role: wanted.role,
    before: before === undefined ? null : { description: before.description, version: before.version },
    after: { description: next.description, version: next.version },
    reason: null,
  });
  const entry = item === undefined ? createRoleEntry(next) : updateRoleEntry(item, next);
  const outcome = await transact([entry, putChangeEntry(record)]);
  if (outcome.kind !== 'committed') return 'moved';
  return { ...roleView(next), changed: true, created: before === undefined };
}
