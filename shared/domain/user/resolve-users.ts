import { pickFields } from '#shared/contract/field-forms.ts';
import { isUserId, type UserId } from '#shared/contract/fields.ts';
import type { NamedUser, ResolvedName } from '#shared/contract/user.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { queryItems } from '#shared/table/client.ts';
import { searchEntryOf } from '#shared/table/items/search-item.ts';
import { readUsers, type User } from '#shared/table/items/user-item.ts';
import { searchEntriesOfRange } from '#shared/table/keys/search-item-keys.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { readAddress, wordOfAddress } from './search-words.ts';

/** The most users returned for one e-mail address. */
const maxUsersPerName = 10;

/**
 * Resolves names, each a user id or an e-mail address, strongly consistent. One read for the ids, one query for
 * each other name that contains an address.
 */
export async function resolveUsers(names: readonly string[]): Promise<ResolvedName[]> {
  const byId = await readUsers([...new Set(names.map(trim).filter(isUserId))]);
  return mapConcurrently(names, async (name) => {
    const user = byId.get(trim(name));
    const users = user === undefined ? await readUsersOf(readAddress(name)) : [user];
    return { name, users: users.map(named) };
  });
}

async function readUsersOf(address: string | undefined): Promise<User[]> {
  const range = address === undefined ? undefined : searchEntriesOfRange(wordOfAddress(address));
  if (range === undefined) return [];
  const { items } = await queryItems(range, { limit: maxUsersPerName });
  const userIds = items.map((item): UserId => searchEntryOf(item).userId);
  const users = [...(await readUsers(userIds)).values()];
  // A user id may also be an e-mail address, and a long address is indexed by its prefix.
  return users.filter(({ email }) => email !== null && readAddress(email) === address);
}

function named(user: User): NamedUser {
  return { userId: user.userId, ...pickFields(userFields, user), status: user.status };
}

function trim(name: string): string {
  return name.trim();
}
