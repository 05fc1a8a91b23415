import type { AppId, RoleName } from '#shared/contract/ids.ts';
import type { Deletion } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { transact } from '#shared/table/client.ts';
import { buryRoleEntry, type Role, readRoleItem, roleOf } from '#shared/table/role.ts';
import { laterMoment } from './later-moment.ts';
import { listMembers } from './list-members.ts';
import { listsAny } from './lists-any.ts';
import { presentApplication } from './present-application.ts';
import { recordChange } from './record-change.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';
import { sweepMembers } from './sweep-members.ts';

export interface RoleDeletion {
  readonly appId: AppId;
  readonly role: RoleName;
  /** Also while users hold it; they lose it. */
  readonly force: boolean;
}

/** Deletes a role and takes it back from everyone. Can be repeated, and goes on where an earlier one was cut off. */
export async function deleteRole(command: RoleDeletion, context: RequestContext): Promise<Deletion> {
  const marked = await retryWhileMoving(() => mark(command, context));
  if (marked === 'absent') return { changed: false, complete: true };
  const complete = await sweepMembers(command, context);
  return { changed: marked === 'marked', complete };
}

async function mark({ appId, role, force }: RoleDeletion, context: RequestContext) {
  const { application, item } = await readRoleItem(appId, role);
  presentApplication(application);
  if (item === undefined) return 'absent';
  const current = roleOf({ ...item });
  if (current === undefined) return 'marked before';
  if (!force) await refuseHeld(current);
  const at = laterMoment(now(), current.updatedAt);
  const record = recordChange(context, {
    action: 'role.deleted',
    at,
    appId,
    role,
    before: { description: current.description, version: current.version },
    after: null,
    reason: null,
  });
  const outcome = await transact([buryRoleEntry(current, at), putChangeEntry(record)]);
  return outcome.kind === 'committed' ? 'marked' : 'moved';
}

async function refuseHeld({ appId, role }: Role): Promise<void> {
  if (!(await listsAny((page) => listMembers({ appId, role, ...page })))) return;
  throw new ServiceError('role_in_use', { detail: 'Users hold this role. Take it back first, or send ?force=true.' });
}
