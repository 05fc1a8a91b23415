import type { Access } from '#shared/contract/access.ts';
import type { Change } from '#shared/contract/change.ts';

/** What a history says of one user in one application. */
export type FoldedAccess = Pick<Access, 'status' | 'explicit' | 'until' | 'reason' | 'roles' | 'version'>;

/** What holds where nothing was ever changed. */
export const untouched: FoldedAccess = {
  status: 'enabled',
  explicit: false,
  until: null,
  reason: null,
  roles: [],
  version: 0,
};

/** The state that the changes of one application's users lead to, by user; a change that does not continue the last one is an error. */
export function foldHistory(changes: readonly Change[]): ReadonlyMap<string, FoldedAccess> {
  const folded = new Map<string, FoldedAccess>();
  for (const change of changes) {
    const { userId = '' } = change;
    folded.set(userId, next(folded.get(userId) ?? untouched, change));
  }
  return folded;
}

/** As far as the access of an answer is folded too. */
export function foldable({ status, explicit, until, reason, roles, version }: Access): FoldedAccess {
  return { status, explicit, until, reason, roles, version };
}

function next(access: FoldedAccess, { id, action, role, before, after }: Change): FoldedAccess {
  if (before?.version !== access.version || after?.version !== access.version + 1) {
    throw new Error(`The change ${id} leads from version ${before?.version}, but ${access.version} came before it`);
  }
  const version = access.version + 1;
  if (action === 'access.changed') {
    const { status, explicit, until, reason } = after as Pick<Access, 'status' | 'explicit' | 'until' | 'reason'>;
    return { status, explicit, until, reason, roles: access.roles, version };
  }
  const others = access.roles.filter(({ name }) => name !== role);
  if (action === 'role.revoked') return { ...access, roles: others, version };
  const granted = { name: role ?? '', expiresAt: after.expiresAt as string | null };
  return { ...access, roles: [...others, granted].sort((one, other) => (one.name < other.name ? -1 : 1)), version };
}
