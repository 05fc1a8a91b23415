import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { Change } from '#shared/contract/change.ts';
import type { UserView } from '#shared/contract/user.ts';

/** Whether a list shows no later change of the same access or user, which would prevent the undo. */
export function isLatestOf(changes: readonly Change[], change: Change): boolean {
  return !changes.some((other) => other.id > change.id && supersedes(other, change));
}

/** Whether the user or the access that was changed still has the version after the change. */
export function isUnmodifiedSince(change: Change, user: UserView, accesses: readonly UserAccessView[]): boolean {
  const changed = change.appId === undefined ? user : accesses.find(({ appId }) => appId === change.appId);
  return changed?.version === versionAfter(change);
}

/** The version after a change; 0 when the change has none. */
export function versionAfter({ after }: Change): number {
  return Number(after?.version ?? 0);
}

/** Whether one change prevents the undo of another. */
function supersedes(
  { action, userId, appId, role }: Change,
  { userId: user, appId: app, role: held }: Change,
): boolean {
  switch (action) {
    case 'application.deleted':
      return appId === app;
    case 'role.defined':
      return false;
    case 'role.deleted':
      return appId === app && role === held;
    case 'user.created':
    case 'user.deleted':
      return userId === user;
    default:
      return userId === user && appId === app;
  }
}
