import type { Change } from '../../client/index.ts';

/** Compiled by `tsc`, never run: the action of a change says what it contains. */
export function typedChange(change: Change): unknown {
  // @ts-expect-error not every change is of a user
  change.userId;
  switch (change.action) {
    case 'access.changed':
      return change.after.status === 'disabled' && change.userId;
    case 'role.assigned':
    case 'role.revoked':
      return change.after.granted && change.role;
    case 'user.deleted':
      // @ts-expect-error nothing is left of an erased user
      return change.after.status;
    case 'user.status.changed':
      // @ts-expect-error a user is active or inactive
      return change.after.status === 'disabled';
    // @ts-expect-error there is no such action
    case 'access.chnaged':
      return change;
    default:
      return change.id;
  }
}
