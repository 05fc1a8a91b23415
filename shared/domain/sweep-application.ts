import type { AppId, RoleName, UserId } from '#shared/contract/ids.ts';
import { pause } from '#shared/core/clock.ts';
import { accessOf, type StoredAccess } from '#shared/table/access.ts';
import { type Item, queryItems, readItems, type TransactEntry } from '#shared/table/client.ts';
import { deleteEntry, deleteUnchangedEntry } from '#shared/table/deletions.ts';
import { accessKey, type Key, memberKey, ranges } from '#shared/table/keys.ts';
import { memberOf } from '#shared/table/member.ts';
import { eraseGroups } from './erase-groups.ts';

const pageSize = 50;
/** The index follows the table, and requests that read the application before it was marked end, within this. */
const settleMilliseconds = 1000;

/** Erases what belongs to a deleted application, until a look after a pause finds nothing more; false when time ran out. */
export async function sweepApplication(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = await sweepOnce(appId, hasTime);
  do {
    await pause(settleMilliseconds);
    found = await sweepOnce(appId, hasTime);
  } while (found && hasTime());
  return !found;
}

/** Whether there was anything to erase. */
async function sweepOnce(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = await eraseAccesses(appId, hasTime);
  for (const step of [eraseRole, eraseKeyUses]) {
    while (hasTime() && (await step(appId))) found = true;
  }
  return found || !hasTime();
}

/** All accesses, each with its members. The index says whose; what is erased is read from the table itself. */
async function eraseAccesses(appId: AppId, hasTime: () => boolean): Promise<boolean> {
  let found = false;
  let after: Item | undefined;
  do {
    const page = await queryItems(ranges.applicationUsers(appId), { limit: pageSize, after });
    const userIds = page.items.map((item) => accessOf(item).userId);
    if (await eraseAccessesOf(appId, userIds)) found = true;
    after = page.next;
  } while (after !== undefined && hasTime());
  return found;
}

async function eraseAccessesOf(appId: AppId, userIds: readonly UserId[]): Promise<boolean> {
  const items = await readItems(userIds.map((userId) => accessKey(userId, appId)));
  const accesses = items.filter((item) => item !== undefined).map(accessOf);
  // One that was written since it was read stays, and is found again.
  await Promise.all(accesses.map((access) => eraseGroups([groupOf(access)])));
  return accesses.length > 0;
}

function groupOf({ appId, userId, roles, version }: StoredAccess): TransactEntry[] {
  const members = Object.keys(roles).map((role) => deleteEntry(memberKey(appId, role as RoleName, userId)));
  return [...members, deleteUnchangedEntry(accessKey(userId, appId), 'version', version)];
}

/** One role with its remaining members, whose accesses the index may not show yet. */
async function eraseRole(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(ranges.roles(appId), { limit: 1 });
  const [role] = items as (Item & Key & { role: RoleName })[];
  if (role === undefined) return false;
  const { items: members } = await queryItems(ranges.members(appId, role.role), { limit: pageSize });
  const userIds = members.map((member) => memberOf(member).userId);
  await eraseAccessesOf(appId, userIds);
  await eraseGroups(userIds.map((userId) => [deleteEntry(memberKey(appId, role.role, userId))]));
  if (members.length < pageSize) await eraseGroups([[deleteEntry(role)]]);
  return true;
}

async function eraseKeyUses(appId: AppId): Promise<boolean> {
  const { items } = await queryItems(ranges.keyUses(appId), { limit: pageSize });
  await eraseGroups(items.map((item) => [deleteEntry(item as Item & Key)]));
  return items.length > 0;
}
