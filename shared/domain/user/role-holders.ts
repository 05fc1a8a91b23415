import type { UserStatus } from '#shared/contract/access.ts';
import type { Page } from '#shared/contract/answers.ts';
import { type AppId, maxPageSize, type UserId } from '#shared/contract/fields.ts';
import type { ListedUserView } from '#shared/contract/user.ts';
import { now } from '#shared/core/clock.ts';
import { type Item, queryItems } from '#shared/table/client.ts';
import { accessOf, liveGrants } from '#shared/table/items/access-item.ts';
import { readListedUsers, type User } from '#shared/table/items/user-item.ts';
import { userAccessesRange } from '#shared/table/keys/access-item-keys.ts';
import { cursorAfter, readPage } from '#shared/table/queries/read-page.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { rangeOfUsers, type UserListRequest, userView } from './users.ts';

/** A filter for users by whether they now hold a role in any application. */
export interface ByRole {
  readonly hasRole: boolean;
  /** The applications whose roles are shown. Default: all. */
  readonly limitedTo?: readonly AppId[] | undefined;
}

/** A role that a user holds now, with its application. */
export type HeldRole = NonNullable<ListedUserView['roles']>[number];

/** The most batches of a hundred users that a page examines. */
const maxBatches = 5;

/**
 * Users with or without a role, ordered by id. Nothing in the table lists them: each user examined takes a query, so a page
 * examines at most 500 users, and may be short or empty with more to follow. The inactive ones are read through their marks.
 */
export async function listUsersByRole(request: UserListRequest & ByRole): Promise<Page<ListedUserView>> {
  const { prefix, status, hasRole, limit, limitedTo } = request;
  const range = rangeOfUsers(prefix, status);
  const list = JSON.stringify([status, hasRole]);
  const found: Found[] = [];
  let { cursor } = request;
  for (let batch = 1; batch <= maxBatches; batch++) {
    const page = await readPage(range, { limit: maxPageSize, cursor, list });
    found.push(...(await matchesOf(page.items, { status, hasRole })));
    cursor = page.more ? page.position : undefined;
    if (cursor === undefined || found.length >= limit) break;
  }
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const next = last ? cursorAfter(range, list, last.item) : cursor;
  return { items: shown.map(({ user, roles }) => viewWithRoles(user, roles, limitedTo)), cursor: next ?? null };
}

/** A user with the roles, if there are any. */
export function viewWithRoles(
  user: User,
  roles: readonly HeldRole[] | undefined,
  limitedTo?: readonly AppId[],
): ListedUserView {
  if (roles === undefined) return userView(user);
  const shown = limitedTo === undefined ? roles : roles.filter(({ appId }) => limitedTo.includes(appId as AppId));
  return { ...userView(user), roles: shown };
}

interface Found {
  readonly item: Item;
  readonly user: User;
  readonly roles?: readonly HeldRole[] | undefined;
}

async function matchesOf(
  items: readonly Item[],
  { status, hasRole }: Pick<ByRole, 'hasRole'> & { readonly status: UserStatus | undefined },
): Promise<Found[]> {
  const users = await readListedUsers(items);
  const found = items.flatMap((item, n) => {
    const user = users[n];
    return user !== undefined && (status ?? user.status) === user.status ? [{ item, user }] : [];
  });
  const holders = await holdersAmong(found.map(({ user }) => user));
  return found
    .map((one) => ({ ...one, roles: holders.get(one.user.userId) }))
    .filter(({ roles }) => (roles !== undefined) === hasRole);
}

/** The users who now hold a role, with their roles; expired grants do not count. One query for each user, or more for a large one. */
export async function holdersAmong(users: readonly User[]): Promise<ReadonlyMap<UserId, readonly HeldRole[]>> {
  const held = await mapConcurrently(users, rolesOf);
  return new Map(
    users.flatMap(({ userId }, n): [UserId, readonly HeldRole[]][] => {
      const roles = held[n] ?? [];
      return roles.length === 0 ? [] : [[userId, roles]];
    }),
  );
}

async function rolesOf({ userId, createdAt }: User): Promise<HeldRole[]> {
  const at = now();
  const roles: HeldRole[] = [];
  let after: Item | undefined;
  do {
    const page = await queryItems(userAccessesRange(userId), { after });
    // Accesses of an erased user with the same id do not count.
    const own = page.items.map(accessOf).filter(({ userCreatedAt }) => userCreatedAt === createdAt);
    for (const access of own) {
      for (const [name, { expiresAt }] of liveGrants(access, at)) roles.push({ appId: access.appId, name, expiresAt });
    }
    after = page.next;
  } while (after !== undefined);
  return roles;
}
