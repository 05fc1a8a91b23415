import type { Connection } from '#options/connections/table/connection-item.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { jitter } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { retryOnConflict } from '#shared/domain/request/optimistic-locking.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { readItems, transact } from '#shared/table/client.ts';
import { roleItemOf } from '#shared/table/items/role-item.ts';
import { roleKey } from '#shared/table/keys/role-item-keys.ts';
import { type Account, accountOf, givenName, isManagedBy } from '../table/account-item.ts';
import { accountKey } from '../table/directory-item-keys.ts';
import { type FencedGroup, type Group, groupLanes } from '../table/group-item.ts';
import { alignMember } from './align-member.ts';
import {
  type Alignment,
  countGroups,
  fenceEntries,
  type GroupPlan,
  groupsEntries,
  readPlans,
  SupersededChange,
} from './group-plan.ts';

/** Each user takes three of the 100 entries of a transaction, and the fence one. */
const usersPerTransaction = 33;

/** Changes of the members of one group. */
export interface MemberChanges {
  readonly connection: Connection;
  /** As read before the change, or as this request has begun to replace its members. */
  readonly group: FencedGroup & Pick<Group, 'displayName'>;
  readonly add: readonly UserId[];
  readonly remove: readonly UserId[];
}

/**
 * Adds members to a group and removes others, with the roles that follow: users for whom nothing else changes together, the
 * others one by one. What is already done is skipped, so a repetition completes what ran out of time (503). Stops if another request
 * replaces the members meanwhile, as if it had been complete before.
 */
export async function changeMembers(changes: MemberChanges & Definitions, context: ConnectionContext): Promise<void> {
  const { connection, group, add, remove, definedAt } = changes;
  const { groupId } = group;
  const join = {
    connection,
    touches: [groupId],
    definedAt,
    after: (groups: readonly string[]) => [...groups, groupId],
  };
  const leave = { ...join, after: (groups: readonly string[]) => groups.filter((id) => id !== groupId) };
  try {
    await alignMembers(add, join, context, group);
    await alignMembers(remove, leave, context, group);
  } catch (error) {
    if (!(error instanceof SupersededChange)) throw error;
  }
}

/** When the roles that a group gives were defined, by `givenName`. */
export interface Definitions {
  readonly definedAt: ReadonlyMap<string, string>;
}

/**
 * Reads the new members, together with the definitions of the roles that the group gives them; 400 if the directory has no such
 * user.
 */
export async function requireMembers({
  connection: { connectionId, groupRoles },
  group,
  add,
}: Omit<MemberChanges, 'remove' | 'group'> & {
  readonly group: Pick<Group, 'displayName'>;
}): Promise<Definitions> {
  const userIds = [...new Set(add)];
  const mapped = userIds.length === 0 ? [] : groupRoles.filter((row) => row.group === group.displayName);
  const roleKeys = new Map(mapped.map((row) => [givenName(row), roleKey(row.appId, row.role)]));
  const items = await readItems([...userIds.map(accountKey), ...roleKeys.values()]);
  const unknown = userIds.find((_, at) => !isManagedBy(connectionId, accountOf(items[at])));
  if (unknown !== undefined) throw invalidField('members', `must be users of the directory; ${unknown} is not`);
  const roles = items.slice(userIds.length).flatMap((item) => roleItemOf(item)?.role ?? []);
  return { definedAt: new Map(roles.map((role) => [givenName(role), role.createdAt])) };
}

/** Aligns many users in the same way; unknown ones are skipped. A change of a group's members is fenced by the group. */
export async function alignMembers(
  userIds: readonly UserId[],
  alignment: Omit<Alignment, 'userId' | 'fence'>,
  context: ConnectionContext,
  group?: FencedGroup,
): Promise<void> {
  const fencedBy = (lane: number) => ({ ...alignment, ...(group && { fence: { group, lane } }) });
  const distinct = [...new Set(userIds)];
  const chunks = Array.from({ length: Math.ceil(distinct.length / usersPerTransaction) }, (_, n) =>
    distinct.slice(n * usersPerTransaction, (n + 1) * usersPerTransaction),
  );
  const rest = await inLanes(chunks, (chunk, lane) => alignTogether(chunk, fencedBy(lane), context));
  await inLanes(rest.flat(), (userId, lane) => alignMember({ ...fencedBy(lane), userId }, context));
}

/** Works on several items at the same time, but on those of one lane one after the other. */
async function inLanes<One, Result>(items: readonly One[], work: (item: One, lane: number) => Promise<Result>) {
  // Requests about one member each begin with different lanes.
  const first = jitter(groupLanes - 1);
  const lanes = Array.from({ length: groupLanes }, (_, at) => ({
    lane: (first + at) % groupLanes,
    own: items.filter((__, index) => index % groupLanes === at),
  }));
  const results = await mapConcurrently(lanes, async ({ lane, own }) => {
    const done: Result[] = [];
    for (const item of own) done.push(await work(item, lane));
    return done;
  });
  return results.flat();
}

/** Aligns the users for whom only one group changes; returns the others. */
async function alignTogether(
  userIds: readonly UserId[],
  alignment: Omit<Alignment, 'userId'>,
  context: ConnectionContext,
): Promise<readonly UserId[]> {
  return retryOnConflict(async () => {
    const { plans } = await readPlans(userIds, alignment, context);
    const together = plans.filter((each) => each.plan.groups !== undefined && hasRoom(each));
    const entries = together.flatMap(({ account, plan }) => groupsEntries(account, plan));
    const isWritten =
      entries.length === 0 || (await transact([...entries, ...fenceEntries(alignment)])).kind === 'committed';
    if (!isWritten) return 'conflict';
    return plans.filter((each) => !hasRoom(each)).map(({ account }) => account.userId);
  });
}

/** Whether a plan has room in a transaction with those of other users. */
function hasRoom({ account, plan }: { readonly account: Account; readonly plan: GroupPlan }): boolean {
  return plan.given.length + plan.taken.length === 0 && countGroups(account, plan) <= 1;
}
