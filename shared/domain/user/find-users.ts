import type { UserStatus } from '#shared/contract/access.ts';
import type { Page } from '#shared/contract/answers.ts';
import { isUserId, type UserId } from '#shared/contract/fields.ts';
import type { ListedUserView } from '#shared/contract/user.ts';
import type { Item } from '#shared/table/client.ts';
import { searchEntryOf } from '#shared/table/items/search-item.ts';
import { readUsers, type User } from '#shared/table/items/user-item.ts';
import type { Range } from '#shared/table/key.ts';
import { searchEntriesRange } from '#shared/table/keys/search-item-keys.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import { cursorAfter, type ItemPage, type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { type ByRole, holdersAmong, viewWithRoles } from './role-holders.ts';
import { countedWord, matchesSearch, maxSearchWords, parseSearch } from './search-words.ts';

export interface UserSearchRequest extends PageRequest {
  /** Prefixes of words, or a whole id or e-mail address. */
  readonly q: string;
  readonly status?: UserStatus | undefined;
  /** Only users who hold a role, or who hold none: one more query for each user of the page. */
  readonly hasRole?: boolean | undefined;
}

/**
 * Users with a matching word for each prefix searched: the user with exactly this id first, then ordered by
 * the matching word, so an exact e-mail address comes before a longer one. One query per page.
 * Then the users are read, strongly consistent, and those that no longer match are left out.
 */
export async function findUsers({
  limitedTo,
  ...request
}: UserSearchRequest & Pick<ByRole, 'limitedTo'>): Promise<Page<ListedUserView>> {
  const { items, cursor, holders } = await searchUsers(request);
  return { items: items.map((user) => viewWithRoles(user, holders?.get(user.userId), limitedTo)), cursor };
}

/** Users as stored, and which of them hold which roles if that was asked. */
interface UsersFound extends Page<User> {
  readonly holders: Awaited<ReturnType<typeof holdersAmong>> | undefined;
}

/** The same, as stored. The cursors of a search with another `list` are not valid here. */
export async function searchUsers({ q, status, hasRole, list, ...request }: UserSearchRequest): Promise<UsersFound> {
  const prefixes = parseSearch(q);
  const others = [...(list === undefined ? [] : [list]), ...(hasRole === undefined ? [] : [{ hasRole }])];
  const page = { ...request, list: JSON.stringify([q, status, ...others]), queries: 1 };
  const { range, items, position, more } = await readEntries(prefixes, page);
  const exactId = exactIdOf(q);
  const entries = items.map((item) => ({ item, ...searchEntryOf(item) })).filter(({ userId }) => userId !== exactId);
  const first = exactId !== undefined && page.cursor === undefined ? [exactId] : [];
  const users = await readUsers([...first, ...entries.map(({ userId }) => userId)]);
  const holders = hasRole === undefined ? undefined : await holdersAmong([...users.values()]);
  const wanted = (userId: UserId) => {
    const isHolder = holders?.has(userId);
    return [users.get(userId)].filter((user) => isWanted(user, status)).filter(() => isHolder === hasRole);
  };
  const exact = first.flatMap(wanted);
  const found = entries.flatMap(({ item, word, userId }) =>
    wanted(userId)
      .filter(({ words }) => isCounted({ word, words }, prefixes))
      .map((user) => ({ item, user })),
  );
  const shown = found.slice(0, page.limit - exact.length);
  // The user with exactly this id takes a place, so the last match moves to the next page.
  const behind = range && shown.length < found.length ? (shown.at(-1)?.item ?? startOf(range)) : undefined;
  const cursor = range && behind ? cursorAfter(range, page.list, behind) : more ? (position ?? null) : null;
  return { items: [...exact, ...shown.map(({ user }) => user)], cursor, holders };
}

async function readEntries(prefixes: readonly string[], page: PageRequest): Promise<ItemPage & { range?: Range }> {
  const [longest = '', ...others] = prefixes;
  const range = prefixes.length <= maxSearchWords ? searchEntriesRange(longest, others) : undefined;
  if (range !== undefined) {
    return { range, ...(await readPage(range, page, (item) => isCounted(searchEntryOf(item), prefixes))) };
  }
  if (page.cursor !== undefined) throw foreignCursor();
  return { items: [], position: undefined, more: false };
}

/** Whether a user is shown for this entry: of several matching entries of a user, one counts. */
function isCounted({ word, words }: { word: string; words: string }, [longest = '', ...others]: readonly string[]) {
  return word === countedWord(words, longest) && matchesSearch(words, others);
}

function exactIdOf(q: string): UserId | undefined {
  const id = q.trim();
  return isUserId(id) ? id : undefined;
}

function isWanted(user: User | undefined, status: UserStatus | undefined): user is User {
  return user !== undefined && (status === undefined || user.status === status);
}

/** A position before all entries. */
function startOf({ pk, prefix }: Range): Item {
  return { pk, sk: prefix };
}
