import type { Access, SetAccessBody } from '#shared/contract/access.ts';

/** Whether the application's own setting lets the user in now, whatever the global status says. */
export function isSwitchedOn({ status, until }: Pick<Access, 'status' | 'until'>, now: number): boolean {
  return status === 'enabled' || (until !== null && Date.parse(until) <= now);
}

/** Why the effective status is what it is. */
export function explain({ decidedBy, status }: Access): string {
  switch (decidedBy) {
    case 'user':
      return 'The user is inactive everywhere.';
    case 'default':
      return 'By default: nobody has set it.';
    case 'lapsed':
      return 'The block has ended.';
    case 'explicit':
      return status === 'enabled' ? 'Set by an operator or the application.' : 'Turned off here.';
    default:
      return decidedBy satisfies never;
  }
}

/** The setting that brings back what held; one that nobody made, or that has ended, is the same as `enabled`. */
export function settingOf(access: Access, now: number): SetAccessBody {
  const { status, until, reason } = access;
  if (!isSwitchedOn(access, now)) return { status, until, reason };
  return { status: 'enabled', until: null, reason: status === 'enabled' ? reason : null };
}
