import { requireUsableToken } from '#options/connections/server/authorize-connection.ts';
import { type Connection, connectionOf } from '#options/connections/table/connection-item.ts';
import { connectionKey } from '#options/connections/table/connection-item-keys.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { monotonicTimestamp } from '#shared/domain/request/optimistic-locking.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { type Item, readItems, readTogether, type TransactEntry } from '#shared/table/client.ts';
import { requireUserEntry } from '#shared/table/items/user-item.ts';
import { type Account, accountOf, givenName, putGroupsEntries } from '../table/account-item.ts';
import { accountKey, groupKey } from '../table/directory-item-keys.ts';
import { type FencedGroup, groupOf, requireFenceEntry } from '../table/group-item.ts';

/** A role that a group can give. */
export type MappedRole = Omit<Connection['groupRoles'][number], 'group'>;

/** A change of the groups of one user, or of what they give. */
export interface Alignment {
  readonly connection: Connection;
  readonly userId: UserId;
  /** The groups after the change, from those before it. */
  readonly after: (groups: readonly string[]) => readonly string[];
  /** The groups that are read together with the account. */
  readonly touches: readonly string[];
  /** When roles were defined, by `givenName`: one that was defined again since a group gave it is given again. */
  readonly definedAt?: ReadonlyMap<string, string>;
  /** For a change of a group's members, which stops with `SupersededChange` once another request has replaced them. */
  readonly fence?: Fence;
}

/** The group as it was read before the change of its members, and the part of its fence that this change uses. */
interface Fence {
  readonly group: FencedGroup;
  readonly lane: number;
}

/** A later request has replaced the members of the group: what that one says stands. */
export class SupersededChange extends Error {}

/** What is left to do for a user. */
export interface GroupPlan {
  /** Undefined if the groups do not change. */
  readonly groups: readonly string[] | undefined;
  /** The roles to give and to take. */
  readonly given: readonly MappedRole[];
  readonly taken: readonly MappedRole[];
}

/**
 * What is left to do for a user, by the groups that exist; a removed one leaves all of them. Takes only what groups gave, and
 * only when the last group that gives it is left.
 */
export function planOf(
  account: Account,
  { connection, after, definedAt, fence }: Omit<Alignment, 'userId' | 'touches'>,
  groupItems: readonly (Item | undefined)[],
): GroupPlan {
  const known = new Map(groupItems.map(groupOf).flatMap((group) => (group ? [[group.groupId, group]] : [])));
  const fenced = fence && known.get(fence.group.groupId);
  if (fenced !== undefined && fenced.replacements !== fence?.group.replacements) throw new SupersededChange();
  const wantedGroups = account.removed ? [] : after(account.groups);
  const groups = [...new Set(wantedGroups)].filter((groupId) => known.has(groupId)).sort();
  const names = new Set(groups.map((groupId) => known.get(groupId)?.displayName));
  const mapped = connection.groupRoles.filter(({ group }) => names.has(group));
  const wanted = new Map(mapped.map((row) => [givenName(row), row]));
  const isSame = groups.length === account.groups.length && groups.every((groupId) => account.groups.includes(groupId));
  const isGiven = (name: string) => {
    const grantedAt = account.given[name];
    return grantedAt !== undefined && grantedAt >= (definedAt?.get(name) ?? '');
  };
  return {
    groups: isSame ? undefined : groups,
    given: [...wanted].flatMap(([name, row]) => (isGiven(name) ? [] : [row])),
    taken: Object.keys(account.given).flatMap((name) => (wanted.has(name) ? [] : [roleOfName(name)])),
  };
}

/**
 * Reads what is left to do for users that the directory manages, strongly consistent: one request to the table, and another for
 * groups that `touches` does not name. `keys` are those of all groups that it depends on. A change of many users reads this for
 * each of them, so a token that is revoked meanwhile stops it: 401 `key_revoked` or `key_expired`.
 */
export async function readPlans(
  userIds: readonly UserId[],
  alignment: Omit<Alignment, 'userId'>,
  { caller }: ConnectionContext,
) {
  const { connection, after, touches } = alignment;
  const keyOf = (groupId: string) => groupKey(connection.connectionId, groupId);
  const [current, ...items] = await readTogether([
    connectionKey(connection.connectionId),
    ...touches.map(keyOf),
    ...userIds.map(accountKey),
  ]);
  requireUsableToken(caller, connectionOf(current), now());
  const accounts = items.slice(touches.length).flatMap((item) => ownAccountOf(item, connection) ?? []);
  const needed = new Set(accounts.flatMap(({ groups }) => [...groups, ...after(groups)]));
  const others = [...needed].filter((groupId) => !touches.includes(groupId)).map(keyOf);
  const groups = [...items.slice(0, touches.length), ...(await readItems(others))];
  const plans = accounts.map((account) => ({ account, plan: planOf(account, alignment, groups) }));
  return { plans, keys: [...touches.map(keyOf), ...others] };
}

function roleOfName(name: string): MappedRole {
  const [appId = '', role = ''] = name.split(' ');
  return { appId, role } as MappedRole;
}

/** Whether a role is in a part of a plan. */
export function hasRole(roles: readonly MappedRole[], role: MappedRole): boolean {
  return roles.some((one) => givenName(one) === givenName(role));
}

/** The account that the directory of this connection manages, or has removed; undefined for those of others. */
export function ownAccountOf(item: Item | undefined, { connectionId }: Connection): Account | undefined {
  const account = accountOf(item);
  return account?.connectionId === connectionId ? account : undefined;
}

/** A transaction that takes a role has room for leaving as many groups. */
const maxLeft = 30;

/**
 * The entries that carry out a plan for an account: as many as one transaction has room for, of the roles that groups gave. The
 * member leaves the group only with the last role to revoke, so that a repetition of an interrupted change still finds the member.
 * The fence is apart: several accounts in one transaction need it once.
 */
export function planEntries(account: Account, { groups, taken }: GroupPlan, given: Account['given'] = account.given) {
  const after = groups ?? account.groups;
  const isLast = taken.every((role) => !(givenName(role) in given));
  const left = account.groups.filter((groupId) => !after.includes(groupId));
  const next = [...after, ...(isLast ? left.slice(maxLeft) : left)].sort();
  return putGroupsEntries(account, { groups: next, given, updatedAt: monotonicTimestamp(account) });
}

/** How many groups a plan joins or leaves. */
export function countGroups({ groups: before }: Account, { groups: after = before }: GroupPlan): number {
  const kept = after.filter((groupId) => before.includes(groupId)).length;
  return before.length + after.length - 2 * kept;
}

/** The fence that each transaction of the alignment needs. */
export function fenceEntries({ fence }: Pick<Alignment, 'fence'>): TransactEntry[] {
  return fence === undefined ? [] : [requireFenceEntry(fence.group, fence.lane)];
}

/** The same without a change of a role; the user must still exist. */
export function groupsEntries(account: Account, plan: GroupPlan, given?: Account['given']) {
  const { userId, userCreatedAt: createdAt } = account;
  return [requireUserEntry({ userId, createdAt }), ...planEntries(account, plan, given)];
}
