import type { UserStatus } from '#shared/contract/access.ts';
import type { Page } from '#shared/contract/answers.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import type { UserView } from '#shared/contract/user.ts';
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
}

/** The most batches of a hundred users that a page examines. */
const maxBatches = 5;

/**
 * Users with or without a role, ordered by id. Nothing in the table lists them: each user examined takes a query, so a page
 * examines at most 500 users, and may be short or empty with more to follow. The inactive ones are read through their marks.
 */
export async function listUsersByRole(request: UserListRequest & ByRole): Promise<Page<UserView>> {
  const { prefix, status, hasRole, limit } = request;
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
  return { items: shown.map(({ user }) => userView(user)), cursor: next ?? null };
}

interface Found {
  readonly item: Item;
  readonly user: User;
}

async function matchesOf(
  items: readonly Item[],
  { status, hasRole }: ByRole & { readonly status: UserStatus | undefined },
): Promise<Found[]> {
  const users = await readListedUsers(items);
  const found = items.flatMap((item, n) => {
    const user = users[n];
    return user !== undefined && (status ?? user.status) === user.status ? [{ item, user }] : [];
  });
  const holders = await holdersAmong(found.map(({ user }) => user));
  return found.filter(({ user }) => holders.has(user.userId) === hasRole);
}

/** The ids of the users who now hold a role; expired grants do not count. One query for each user, or more for a large one. */
export async function holdersAmong(users: readonly User[]): Promise<ReadonlySet<string>> {
  const held = await mapConcurrently(users, holdsRole);
  return new Set(users.flatMap(({ userId }, n) => (held[n] === true ? [userId] : [])));
}

async function holdsRole({ userId, createdAt }: User): Promise<boolean> {
  const at = now();
  let after: Item | undefined;
  do {
    const page = await queryItems(userAccessesRange(userId), { after });
    // Accesses of an erased user with the same id do not count.
    const own = page.items.map(accessOf).filter(({ userCreatedAt }) => userCreatedAt === createdAt);
    if (own.some((access) => liveGrants(access, at).length > 0)) return true;
    after = page.next;
  } while (after !== undefined);
  return false;
}
