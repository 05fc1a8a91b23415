import type { Page } from '#shared/contract/answers.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { Change } from '#shared/contract/change.ts';
import { readAll } from '#shared/contract/read-all.ts';
import type { ResolvedName } from '#shared/contract/user.ts';
import type { KnownNames } from './change-table.ts';

/** How to ask the service for names. */
export interface NameSource {
  /** Up to 100 ids. */
  readonly resolveUsers: (userIds: readonly string[]) => Promise<readonly ResolvedName[]>;
  /** A page of all applications. */
  readonly listApplications: (cursor: string | undefined) => Promise<Page<ApplicationView>>;
}

const maxUsersAtOnce = 100;

/** The names for changes, and for those asked about before. */
export type FindNames = (changes: readonly Change[]) => Promise<KnownNames>;

/** Finds the names for the changes of an export, page by page; asks for each user once, and once for the applications if there are any. */
export function createNameFinder({ resolveUsers, listApplications }: NameSource): FindNames {
  const users = new Map<string, string>();
  const asked = new Set<string>();
  let applications: ReadonlyMap<string, string> | undefined;
  return async (changes) => {
    if (changes.some(({ appId }) => appId !== undefined)) applications ??= await readApplications(listApplications);
    const wanted = [...new Set(changes.flatMap(({ userId = [] }) => userId))].filter((userId) => !asked.has(userId));
    for (let from = 0; from < wanted.length; from += maxUsersAtOnce) {
      const userIds = wanted.slice(from, from + maxUsersAtOnce);
      for (const [userId, name] of namesIn(await resolveUsers(userIds))) users.set(userId, name);
      for (const userId of userIds) asked.add(userId);
    }
    return { users, applications: applications ?? new Map() };
  };
}

async function readApplications(list: NameSource['listApplications']): Promise<ReadonlyMap<string, string>> {
  return new Map((await readAll(list)).map(({ appId, name }) => [appId, name]));
}

/** The names of the users who were asked for by id; an id may also be the e-mail address of another user. */
export function namesIn(resolved: readonly ResolvedName[]): ReadonlyMap<string, string> {
  return new Map(
    resolved.flatMap(({ name, users }) => {
      const { displayName } = users.find(({ userId }) => userId === name) ?? {};
      return displayName ? [[name, displayName] as const] : [];
    }),
  );
}
