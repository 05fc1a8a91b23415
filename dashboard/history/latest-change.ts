import type { Change } from '#shared/contract/change.ts';

/** Whether a list shows no later change of the same access or user, which would prevent the undo. */
export function isLatestOf(changes: readonly Change[], change: Change): boolean {
  return !changes.some((other) => other.id > change.id && supersedes(other, change));
}

/** Whether one change prevents the undo of another. */
function supersedes(
  { action, userId, appId, role }: Change,
  { userId: user, appId: app, role: held }: Change,
): boolean {
  switch (action) {
    case 'application.deleted':
      return appId === app;
    case 'role.deleted':
      return appId === app && role === held;
    case 'user.created':
    case 'user.deleted':
      return userId === user;
    default:
      return userId === user && appId === app;
  }
}
