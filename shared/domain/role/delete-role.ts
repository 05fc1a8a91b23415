import type { Deletion } from '#shared/contract/answers.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import {
  closeRoleEntry,
  type RoleItem,
  readRoleItem,
  reopenRoleEntry,
  tombstoneRoleEntry,
} from '#shared/table/items/role-item.ts';
import { buildChange } from '../request/build-change.ts';
import { hasAny } from '../request/list-page.ts';
import { monotonicTimestamp } from '../request/optimistic-locking.ts';
import { type Decision, identity, performOnce, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type Closable, concurrentChange, type DeletionTime, startDeletion, whileClosed } from '../request/settling.ts';
import { listMembers } from './members.ts';
import { type DeletedRole, sweepRole } from './sweep-role.ts';

export interface RoleSubject {
  readonly appId: AppId;
  readonly role: RoleName;
}

export interface RoleDeletion extends RoleSubject {
  /** Whether to delete it even while users hold it; they lose it. */
  readonly force: boolean;
}

/** The result of marking a role; `deleted` is the role left to sweep, `null` when there is none. */
interface MarkedRole {
  readonly changed: boolean;
  readonly deleted: DeletedRole | null;
}

interface SettledRole extends MarkedRole {
  /** The time from which no earlier request can still assign the role. Default: some seconds from now. */
  readonly settled?: number;
}

/** Deletes a role and revokes it from all users. A repeated request continues an interrupted one. */
export async function deleteRole({ force, ...subject }: RoleDeletion, context: RequestContext): Promise<Deletion> {
  const time = startDeletion();
  const { changed, deleted, settled }: SettledRole = force
    ? await mark(subject, context)
    : await performOnce<SettledRole, MarkedRole>(context, identity, () => markUnheld(subject, context, time));
  return { changed, complete: deleted === null || (await sweepRole(deleted, context, time, settled)) };
}

/** The mark refuses new grants; the sweep finds those in progress. Throws what `requireStill` throws. */
function mark(
  subject: RoleSubject,
  context: RequestContext,
  requireStill: (current: RoleItem | undefined) => unknown = () => undefined,
): Promise<MarkedRole> {
  const decide = async (key: ChainKey) => {
    const current = await readRoleItem(subject.appId, subject.role);
    await requireStill(current);
    return decideMark(current, context, key);
  };
  return performWrite<MarkedRole, MarkedRole>(context, { decide, toStored: identity, fromStored: identity });
}

/**
 * Marks a role without members. It is closed first: once no grant can be in progress, it stays without members
 * until the mark.
 */
async function markUnheld(subject: RoleSubject, context: RequestContext, time: DeletionTime): Promise<SettledRole> {
  const found = await readRoleItem(subject.appId, subject.role);
  if (found === undefined || found.deleted) return mark(subject, context, requireGone);
  await requireUnheld(subject);
  const closable: Closable = {
    kind: 'role',
    close: (until) => closeRoleEntry(found.role, until),
    reopen: (until) => reopenRoleEntry(found.role, until),
  };
  return whileClosed(closable, time, async (until) => {
    const settled = now().getTime();
    const marked = await mark(subject, context, async (current) => {
      if (current?.closedUntil !== until) throw concurrentChange('role');
      await requireUnheld(subject);
    });
    return { ...marked, settled };
  });
}

/** A role that has been defined since the read may have members. */
function requireGone(current: RoleItem | undefined): void {
  if (current !== undefined && !current.deleted) throw concurrentChange('role');
}

async function requireUnheld({ appId, role }: RoleSubject): Promise<void> {
  if (!(await hasAny((page) => listMembers({ appId, role, ...page })))) return;
  throw new ServiceError('role_in_use', { detail: 'Users hold this role. Revoke it first, or send ?force=true.' });
}

function decideMark(found: RoleItem | undefined, context: RequestContext, key: ChainKey): Decision<MarkedRole> {
  if (found === undefined || found.swept) return { answer: { changed: false, deleted: null } };
  const { role: current } = found;
  if (found.deleted) return { answer: { changed: false, deleted: deletedOf(current) } };
  const at = monotonicTimestamp(current);
  const change = buildChange(context, key, {
    action: 'role.deleted',
    at,
    appId: current.appId,
    role: current.role,
    before: { description: current.description, version: current.version },
    after: null,
    previous: current.chainHead,
  });
  const deleted = deletedOf({ ...current, version: current.version + 1 });
  return {
    answer: { changed: true, deleted },
    entries: [tombstoneRoleEntry(found, change), ...putChangeEntries(change)],
  };
}

function deletedOf({ appId, role, version }: DeletedRole): DeletedRole {
  return { appId, role, version };
}
