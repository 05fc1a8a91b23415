import type { Deletion, Page } from '#shared/contract/answers.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { now, pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, queryItems, readItems, type TransactEntry, transact } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { accessOf, isDefaultAccess, type StoredAccess } from '#shared/table/items/access-item.ts';
import { readApplication, tombstoneApplicationEntry } from '#shared/table/items/application-item.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { deleteMemberEntry, memberOf, roleNameOf } from '#shared/table/items/role-item.ts';
import { readUsers } from '#shared/table/items/user-item.ts';
import { accessKey, ranges } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { buildChange } from '../request/build-change.ts';
import { deadline, deleteInBatches } from '../request/delete-in-batches.ts';
import { hasAny, listPage } from '../request/list-page.ts';
import { monotonicTimestamp, retryOnConflict } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';

const pageSize = 50;
/** The index follows the table, and requests that read the application before it was marked end, within this time. */
const settleMilliseconds = 1000;

export interface ApplicationDeletion {
  readonly appId: AppId;
  /** Also while users hold grants or explicit access; they lose them. */
  readonly force: boolean;
}

/**
 * Deletes an application. First it is marked, which refuses its keys at once; then its accesses, members, roles and key
 * uses are deleted. The mark stays as a tombstone: its id is never free again, so what a late request may have left can
 * never take effect in a new application. The history stays until its retention ends. A repeated request continues.
 */
export async function deleteApplication(command: ApplicationDeletion, context: RequestContext): Promise<Deletion> {
  const marked = await retryOnConflict(() => markApplication(command, context));
  if (marked === 'absent') return { changed: false, complete: true };
  const complete = await deleteContents(command.appId, deadline());
  return { changed: marked === 'marked', complete };
}

async function markApplication({ appId, force }: ApplicationDeletion, context: RequestContext) {
  const { application, reserved } = await readApplication(appId);
  if (application === undefined) return reserved ? 'marked before' : 'absent';
  if (!force) await requireUnused(appId);
  const at = monotonicTimestamp(now(), application.updatedAt);
  const change = buildChange(context, {
    action: 'application.deleted',
    at,
    appId,
    before: { name: application.name, version: application.version },
    after: null,
    reason: null,
  });
  const outcome = await transact([tombstoneApplicationEntry(application, at), putChangeEntry(change)]);
  return outcome.kind === 'committed' ? 'marked' : 'conflict';
}

async function requireUnused(appId: AppId): Promise<void> {
  if (!(await hasAny((page) => listUsedAccesses(appId, page)))) return;
  throw new ServiceError('application_in_use', {
    detail: 'Users have explicit access or roles in this application. Take them back first, or send ?force=true.',
  });
}

/** The accesses that are not the default, of users who are not being erased. */
async function listUsedAccesses(appId: AppId, request: PageRequest): Promise<Page<StoredAccess>> {
  const at = now();
  const { items, cursor } = await listPage(ranges.applicationUsers(appId), request, (item) => {
    const access = accessOf(item);
    return isDefaultAccess(access, at) ? undefined : access;
  });
  const users = await readUsers(items.map(({ userId }) => userId));
  return { items: items.filter(({ userId }) => users.has(userId)), cursor };
}

/** Deletes what belongs to the application until a pass after a pause finds nothing more; false when time ran out. */
async function deleteContents(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = await deleteOnce(appId, hasTime);
  do {
    await pause(settleMilliseconds);
    found = await deleteOnce(appId, hasTime);
  } while (found && hasTime());
  return !found;
}

/** Whether there was anything to delete. */
async function deleteOnce(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = await deleteAccesses(appId, hasTime);
  for (const step of [deleteNextRole, deleteKeyUses]) {
    while (hasTime() && (await step(appId))) found = true;
  }
  return found || !hasTime();
}

/** All accesses, each with its members. The index says whose; what is deleted is read from the table itself. */
async function deleteAccesses(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = false;
  let after: Item | undefined;
  do {
    const page = await queryItems(ranges.applicationUsers(appId), { limit: pageSize, after });
    const userIds = page.items.map((item) => accessOf(item).userId);
    if (await deleteAccessesOf(appId, userIds)) found = true;
    after = page.next;
  } while (after !== undefined && hasTime());
  return found;
}

async function deleteAccessesOf(appId: AppId, userIds: readonly UserId[]): Promise<boolean> {
  const items = await readItems(userIds.map((userId) => accessKey(userId, appId)));
  const accesses = items.filter((item) => item !== undefined).map(accessOf);
  // One that was written since it was read stays, and is found again.
  await Promise.all(accesses.map((access) => deleteInBatches([groupOf(access)])));
  return accesses.length > 0;
}

function groupOf({ appId, userId, roles, version }: StoredAccess): TransactEntry[] {
  const members = Object.keys(roles).map((role) => deleteMemberEntry(appId, role as RoleName, userId));
  return [...members, deleteEntry(accessKey(userId, appId), { equals: { version } })];
}

/** One role with its remaining members, whose accesses the index may not show yet. */
async function deleteNextRole(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(ranges.roles(appId), { limit: 1 });
  const [item] = items;
  if (item === undefined) return false;
  const role = roleNameOf(item);
  const { items: members } = await queryItems(ranges.members(appId, role), { limit: pageSize });
  const userIds = members.map((member) => memberOf(member).userId);
  await deleteAccessesOf(appId, userIds);
  await deleteInBatches(userIds.map((userId) => [deleteMemberEntry(appId, role, userId)]));
  if (members.length < pageSize) await deleteInBatches([[deleteEntry(item)]]);
  return true;
}

async function deleteKeyUses(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(ranges.keyUses(appId), { limit: pageSize });
  await deleteInBatches(items.map((item) => [deleteEntry(item)]));
  return items.length > 0;
}
