import type { SetAccessBody } from '#shared/contract/access.ts';
import type { StoredAccess } from '#shared/table/access.ts';
import type { AccessChange } from './access-change.ts';

/** The access after a status was set; undefined when it already holds. Roles stay, also when it is disabled. */
export function decideStatusChange(current: StoredAccess, wanted: SetAccessBody): AccessChange | undefined {
  const { status, until, reason } = wanted;
  if (current.status === status && current.until === until && current.reason === reason) return undefined;
  return {
    action: 'access.changed',
    next: { ...current, status, until, reason },
    before: settingOf(current),
    after: { status, explicit: true, until, reason },
    reason,
  };
}

function settingOf({ status, until, reason }: StoredAccess) {
  return { status: status ?? 'enabled', explicit: status !== null, until, reason };
}
