import type { Deletion } from '#shared/contract/answers.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { type Item, queryItems, readItems, type TransactEntry, transact } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import {
  accessOf,
  deleteAccessEntries,
  isDefaultAccess,
  ownerOf,
  type StoredAccess,
} from '#shared/table/items/access-item.ts';
import {
  type Application,
  type ApplicationItem,
  closeApplicationEntry,
  readApplicationItem,
  reopenApplicationEntry,
  sweptApplicationEntry,
  tombstoneApplicationEntry,
} from '#shared/table/items/application-item.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { deleteCountersEntry } from '#shared/table/items/counters-item.ts';
import { deleteMemberEntry, deleteReadMemberEntry, memberOf, roleNameOf } from '#shared/table/items/role-item.ts';
import { readUsers } from '#shared/table/items/user-item.ts';
import { accessEntriesRange, accessKey } from '#shared/table/keys/access-item-keys.ts';
import { keyUsesRange } from '#shared/table/keys/api-key-item-keys.ts';
import { membersRange, rolesRange } from '#shared/table/keys/role-item-keys.ts';
import { buildChange } from '../request/build-change.ts';
import { deleteInBatches } from '../request/delete-in-batches.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { monotonicTimestamp } from '../request/optimistic-locking.ts';
import { type Decision, identity, performOnce, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import {
  type Closable,
  concurrentChange,
  type DeletionTime,
  settlesAt,
  startDeletion,
  whileClosed,
} from '../request/settling.ts';
import { recordedOf } from './applications.ts';
import { registeredParts } from './registered-parts.ts';

const pageSize = 50;

export interface ApplicationDeletion {
  readonly appId: AppId;
  /** Whether to delete it even while users hold roles or explicit access, which they lose. */
  readonly force: boolean;
}

/** The result of marking an application; `deleted` is the application left to sweep. */
interface MarkedApplication {
  readonly changed: boolean;
  readonly deleted: Pick<Application, 'appId' | 'version'> | null;
}

/**
 * Deletes an application. First it is marked, which refuses its keys immediately; then its accesses, members, roles and key
 * uses are deleted. The mark stays as a tombstone: its id is never reused, so nothing left by a late request can
 * take effect in a new application. The history is kept for its retention period. A repeated request continues.
 */
export async function deleteApplication(
  { appId, force }: ApplicationDeletion,
  context: RequestContext,
): Promise<Deletion> {
  const time = startDeletion();
  const { changed, deleted } = force
    ? await mark(appId, context)
    : await performOnce<MarkedApplication, MarkedApplication>(context, identity, () =>
        markUnused(appId, context, time),
      );
  return { changed, complete: deleted === null || (await deleteContents(deleted, time)) };
}

/**
 * The mark refuses further requests; the sweep finds what requests in progress still write. Throws what `requireStill`
 * throws.
 */
function mark(
  appId: AppId,
  context: RequestContext,
  requireStill: (current: ApplicationItem | undefined) => unknown = () => undefined,
): Promise<MarkedApplication> {
  const decide = async (key: ChainKey) => {
    const current = await readApplicationItem(appId);
    await requireStill(current);
    return decideMark(current, context, key);
  };
  return performWrite<MarkedApplication, MarkedApplication>(context, {
    decide,
    toStored: identity,
    fromStored: identity,
  });
}

/**
 * Marks an application in which no user has explicit access or roles. It is closed first: once no write can be in progress,
 * it stays unused until the mark.
 */
async function markUnused(appId: AppId, context: RequestContext, time: DeletionTime): Promise<MarkedApplication> {
  const found = await readApplicationItem(appId);
  if (found === undefined || found.deleted) return mark(appId, context, requireGone);
  await requireUnused(appId);
  const closable: Closable = {
    kind: 'application',
    close: (until) => closeApplicationEntry(found.application, until),
    reopen: (until) => reopenApplicationEntry(found.application, until),
  };
  return whileClosed(closable, time, (until) =>
    mark(appId, context, async (current) => {
      if (current?.application.closedUntil !== until) throw concurrentChange('application');
      await requireUnused(appId);
    }),
  );
}

/** An application that has been created since the read may be in use. */
function requireGone(current: ApplicationItem | undefined): void {
  if (current !== undefined && !current.deleted) throw concurrentChange('application');
}

function decideMark(
  found: ApplicationItem | undefined,
  context: RequestContext,
  key: ChainKey,
): Decision<MarkedApplication> {
  if (found === undefined || found.swept) return { answer: { changed: false, deleted: null } };
  const { appId, version } = found.application;
  if (found.deleted) return { answer: { changed: false, deleted: { appId, version } } };
  const at = monotonicTimestamp(found.application);
  const change = buildChange(context, key, {
    action: 'application.deleted',
    at,
    appId,
    before: { ...recordedOf(found.application, found.application), version },
    after: null,
    previous: found.application.chainHead,
  });
  const entries = [tombstoneApplicationEntry(found.application, change), ...putChangeEntries(change)];
  return { answer: { changed: true, deleted: { appId, version: version + 1 } }, entries };
}

async function requireUnused(appId: AppId): Promise<void> {
  for await (const accesses of accessPages(appId)) {
    if (!(await isAnyUsed(accesses))) continue;
    throw new ServiceError('application_in_use', {
      detail: 'Users have explicit access or roles in this application. Remove them first, or send ?force=true.',
    });
  }
}

/** Whether any access differs from the default and belongs to a user who is not being erased. */
async function isAnyUsed(accesses: readonly StoredAccess[]): Promise<boolean> {
  const at = now();
  const used = accesses.filter((access) => !isDefaultAccess(access, at));
  return (await readUsers(used.map(({ userId }) => userId))).size > 0;
}

/** All accesses of an application, as stored. Read through its entries, which do not lag as the index does. */
async function* accessPages(appId: AppId): AsyncGenerator<readonly StoredAccess[]> {
  let after: Item | undefined;
  do {
    const page = await queryItems(accessEntriesRange(appId), { limit: pageSize, after });
    yield await readAccesses(appId, page.items.map(ownerOf));
    after = page.next;
  } while (after !== undefined);
}

async function readAccesses(appId: AppId, userIds: readonly UserId[]): Promise<StoredAccess[]> {
  const items = await readItems(userIds.map((userId) => accessKey(userId, appId)));
  return items.filter((item) => item !== undefined).map(accessOf);
}

/**
 * Deletes the application's contents, and repeats once no earlier request can still write, until a pass finds
 * nothing. False when time ran out.
 */
export async function deleteContents(
  deleted: Pick<Application, 'appId' | 'version'>,
  { hasTime, waitUntil }: DeletionTime,
): Promise<boolean> {
  const { appId } = deleted;
  const settled = settlesAt();
  await deleteOnce(appId, hasTime);
  if (!(await waitUntil(settled))) return false;
  while (await deleteOnce(appId, hasTime)) if (!hasTime()) return false;
  await transact([sweptApplicationEntry(deleted), deleteCountersEntry(appId)]);
  return true;
}

/** Whether anything was deleted, or time ran out. */
async function deleteOnce(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = await deleteAccesses(appId, hasTime);
  for (const step of [deleteNextRole, deleteKeyUses, ...registeredParts.map(({ deleteItems }) => deleteItems)]) {
    while (hasTime() && (await step(appId))) found = true;
  }
  return found || !hasTime();
}

/** Deletes all accesses, each with its members; false if there are none. */
async function deleteAccesses(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = false;
  for await (const accesses of accessPages(appId)) {
    if (accesses.length > 0) found = true;
    await deleteEach(accesses);
    if (!hasTime()) break;
  }
  return found;
}

/** An access that was written since the read stays, and is found by the next pass. */
async function deleteEach(accesses: readonly StoredAccess[]): Promise<void> {
  await mapConcurrently(accesses, (access) => deleteInBatches([groupOf(access)]));
}

function groupOf(access: StoredAccess): TransactEntry[] {
  const { appId, userId, roles, version } = access;
  const members = Object.keys(roles).map((role) => deleteMemberEntry(appId, role as RoleName, userId));
  return [...members, ...deleteAccessEntries(access, version)];
}

/** Deletes one role with its remaining members; false if there is none. */
async function deleteNextRole(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(rolesRange(appId), { limit: 1 });
  const [item] = items;
  if (item === undefined) return false;
  const role = roleNameOf(item);
  const { items: members } = await queryItems(membersRange(appId, role), { limit: pageSize });
  await deleteEach(
    await readAccesses(
      appId,
      members.map((member) => memberOf(member).userId),
    ),
  );
  // A member that was written since the read stays, and is found by the next pass.
  await mapConcurrently(members, (member) => deleteInBatches([[deleteReadMemberEntry(member)]]));
  if (members.length < pageSize) await deleteInBatches([[deleteEntry(item)]]);
  return true;
}

async function deleteKeyUses(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(keyUsesRange(appId), { limit: pageSize });
  await deleteInBatches(items.map((item) => [deleteEntry(item)]));
  return items.length > 0;
}
