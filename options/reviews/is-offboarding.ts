import type { Change } from '#shared/contract/change.ts';

/** Whether the changes of a bulk are an offboarding: they are of one user, and deactivated it. */
export function isOffboarding(changes: readonly Pick<Change, 'userId' | 'action' | 'after' | 'undoOf'>[]): boolean {
  const [userId, ...others] = new Set(changes.map((change) => change.userId));
  const deactivates = changes.some(
    ({ action, after, undoOf }) =>
      action === 'user.status.changed' && after?.status === 'inactive' && undoOf === undefined,
  );
  return userId !== undefined && others.length === 0 && deactivates;
}
