import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { countOf } from '#shared/contract/wording.ts';
import { isAllowedBySetting } from './is-allowed-by-setting.ts';

/** Whether an access is not as by default: blocked, set for this user, or with a role. */
export function isException(access: UserAccessView): boolean {
  return access.explicit || access.roles.length > 0 || !isAllowedBySetting(access, Date.now());
}

/** The exceptions first, both in the order of their names. */
export function sortAccesses<One extends UserAccessView>(
  accesses: readonly One[],
  exceptions: ReadonlySet<string>,
): readonly One[] {
  const rank = ({ appId }: One) => (exceptions.has(appId) ? 0 : 1);
  return accesses.toSorted((one, other) => rank(one) - rank(other) || one.appName.localeCompare(other.appName));
}

/** `2 blocked, 3 with roles of 40 applications`. */
export function summarizeAccesses(accesses: readonly UserAccessView[]): string {
  const blocked = accesses.filter((access) => !isAllowedBySetting(access, Date.now())).length;
  const withRoles = accesses.filter(({ roles }) => roles.length > 0).length;
  const found = [blocked > 0 && `${blocked} blocked`, withRoles > 0 && `${withRoles} with roles`].filter(Boolean);
  const all = countOf(accesses.length, 'application');
  return found.length === 0 ? `${all}, none blocked, no roles` : `${found.join(', ')} of ${all}`;
}
