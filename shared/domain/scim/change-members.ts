import type { UserId } from '#shared/contract/fields.ts';
import { invalidField } from '#shared/core/errors.ts';
import { readItems, transact } from '#shared/table/client.ts';
import { accountOf, givenName, isManagedBy } from '#shared/table/items/account-item.ts';
import type { Connection } from '#shared/table/items/connection-item.ts';
import type { Group } from '#shared/table/items/group-item.ts';
import { roleItemOf } from '#shared/table/items/role-item.ts';
import { accountKey, roleKey } from '#shared/table/keys.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { retryOnConflict } from '../request/optimistic-locking.ts';
import type { ConnectionContext } from '../request/request-context.ts';
import { alignMember } from './align-member.ts';
import { type Alignment, type GroupPlan, groupsEntries, readPlans } from './group-plan.ts';

/** Each user takes three of the 100 entries of a transaction. */
const usersPerTransaction = 33;

/** Changes of the members of one group. */
export interface MemberChanges {
  readonly connection: Connection;
  readonly group: Pick<Group, 'groupId' | 'displayName'>;
  readonly add: readonly UserId[];
  readonly remove: readonly UserId[];
}

/**
 * Adds members to a group and removes others, with the roles that follow: users without a change of roles together, the others
 * one by one. 400 before anything is written if the directory has no such user. What is already done is skipped, so a repetition
 * completes what ran out of time (503).
 */
export async function changeMembers(changes: MemberChanges, context: ConnectionContext): Promise<void> {
  const { connection, group, add, remove } = changes;
  const { groupId } = group;
  const { definedAt } = await requireMembers(changes);
  const join = {
    connection,
    touches: [groupId],
    definedAt,
    after: (groups: readonly string[]) => [...groups, groupId],
  };
  const leave = { ...join, after: (groups: readonly string[]) => groups.filter((id) => id !== groupId) };
  await alignMembers(add, join, context);
  await alignMembers(remove, leave, context);
}

/** Reads the new members, together with the definitions of the roles that the group gives them. */
async function requireMembers({ connection: { connectionId, groupRoles }, group, add }: MemberChanges) {
  const userIds = [...new Set(add)];
  const mapped = userIds.length === 0 ? [] : groupRoles.filter((row) => row.group === group.displayName);
  const roleKeys = new Map(mapped.map((row) => [givenName(row), roleKey(row.appId, row.role)]));
  const items = await readItems([...userIds.map(accountKey), ...roleKeys.values()]);
  const unknown = userIds.find((_, at) => !isManagedBy(connectionId, accountOf(items[at])));
  if (unknown !== undefined) throw invalidField('members', `must be users of the directory; ${unknown} is not`);
  const roles = items.slice(userIds.length).flatMap((item) => roleItemOf(item)?.role ?? []);
  return { definedAt: new Map(roles.map((role) => [givenName(role), role.createdAt])) };
}

/** Aligns many users in the same way. Removed and unknown ones are skipped. */
export async function alignMembers(
  userIds: readonly UserId[],
  alignment: Omit<Alignment, 'userId'>,
  context: ConnectionContext,
): Promise<void> {
  const distinct = [...new Set(userIds)];
  const chunks = Array.from({ length: Math.ceil(distinct.length / usersPerTransaction) }, (_, n) =>
    distinct.slice(n * usersPerTransaction, (n + 1) * usersPerTransaction),
  );
  const withRoles = await mapConcurrently(chunks, (chunk) => alignTogether(chunk, alignment, context));
  await mapConcurrently(withRoles.flat(), (userId) => alignMember({ ...alignment, userId }, context));
}

/** Aligns the users for whom only groups change; returns the others. */
async function alignTogether(
  userIds: readonly UserId[],
  alignment: Omit<Alignment, 'userId'>,
  context: ConnectionContext,
): Promise<readonly UserId[]> {
  return retryOnConflict(async () => {
    const { plans } = await readPlans(userIds, alignment, context);
    const together = plans.filter(({ plan }) => !changesRoles(plan) && plan.groups !== undefined);
    const entries = together.flatMap(({ account, plan }) => groupsEntries(account, plan));
    if (entries.length > 0 && (await transact(entries)).kind !== 'committed') return 'conflict';
    return plans.filter(({ plan }) => changesRoles(plan)).map(({ account }) => account.userId);
  });
}

function changesRoles({ given, taken }: GroupPlan): boolean {
  return given.length + taken.length > 0;
}
