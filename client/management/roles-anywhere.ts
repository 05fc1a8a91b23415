import { type Page, readAll, readUpTo } from '#shared/contract/read-all.ts';
import { eachOf } from './each-of.ts';
import type { Application, Member, Role } from './management-contract.ts';

/** The requests for pages of lists. */
export interface RoleReader {
  readonly listApplications: (cursor: string | undefined) => Promise<Page<Application>>;
  readonly listRoles: (appId: string, cursor: string | undefined) => Promise<Page<Role>>;
  readonly listMembers: (appId: string, role: string, cursor: string | undefined) => Promise<Page<Member>>;
}

/** A user who has the role in an application. */
export interface RoleHolder extends Member {
  readonly appId: string;
  readonly appName: string;
}

/** What was found in one application. */
export interface RolesInApplication {
  readonly roles: readonly Role[];
  /** Those of the role that was asked for. */
  readonly holders: readonly RoleHolder[];
}

/** How many applications have been read. */
export interface RoleProgress {
  readonly done: number;
  readonly total: number;
}

export interface RoleSearch {
  /** The role whose holders are read. Default: only the roles are read. */
  readonly role?: string;
  readonly onProgress: (progress: RoleProgress, found?: RolesInApplication) => void;
  readonly isStopped?: () => boolean;
}

/** More are not read, and `isCut` says so. */
export const maxRoleApplications = 2000;
export const maxRoleHolders = 10_000;

/**
 * The roles of all applications, and who has one of them. The table has no index of roles over applications, so each application
 * is asked for its roles, four at once, and for the members of the role if it has one of that name.
 */
export async function findRolesAnywhere(
  reader: RoleReader,
  { role, onProgress, isStopped }: RoleSearch,
): Promise<{ readonly isCut: boolean }> {
  const listed = await readUpTo(maxRoleApplications, reader.listApplications);
  const total = listed.items.length;
  let [done, held, isCut] = [0, 0, listed.isCut];
  onProgress({ done, total });
  await eachOf(
    listed.items,
    async ({ appId, name: appName }) => {
      const roles = await readAll((cursor) => reader.listRoles(appId, cursor));
      const holders: RoleHolder[] = [];
      if (role !== undefined && roles.some((one) => one.role === role)) {
        const found = await readUpTo(maxRoleHolders - held, (cursor) => reader.listMembers(appId, role, cursor));
        for (const member of found.items) holders.push({ ...member, appId, appName });
        held += holders.length;
        isCut ||= found.isCut;
      }
      done += 1;
      onProgress({ done, total }, { roles, holders });
    },
    () => isStopped?.() === true || held >= maxRoleHolders,
  );
  return { isCut: isCut || done < total };
}
