import type { Access } from '#shared/contract/access.ts';
import { formatEnd, formatMoment } from './format-moment.ts';
import { type Column, recordLines } from './print-table.ts';

/** What holds for a user in one application, as lines of a label and a value. */
export function accessLines(access: Access): string[] {
  const { userId, appId, userStatus, status, until, effectiveStatus, reason, version, updatedAt } = access;
  return recordLines([
    ['user', `${userId} (${userStatus})`],
    ['application', appId],
    ['may enter', effectiveStatus === 'enabled' ? 'yes' : `no, ${whyNot(access)}`],
    ['status', until === null ? status : `${status} until ${formatEnd(until)}`],
    ['reason', reason ?? '-'],
    ['roles', rolesOf(access)],
    ['version', String(version)],
    ['updated', formatMoment(updatedAt)],
  ]);
}

/** The columns of a list of accesses, after those that say whose or where. */
export const accessColumns: readonly Column<Access>[] = [
  {
    title: 'STATUS',
    cell: ({ effectiveStatus }) => effectiveStatus,
    tone: ({ effectiveStatus }) => (effectiveStatus === 'disabled' ? 'red' : undefined),
  },
  { title: 'DECIDED BY', cell: ({ decidedBy }) => decidedBy },
  { title: 'UNTIL', cell: ({ until }) => formatEnd(until) },
  { title: 'ROLES', cell: rolesOf },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-' },
];

function whyNot({ decidedBy }: Access): string {
  return decidedBy === 'user' ? 'the user is inactive' : 'disabled here';
}

function rolesOf({ roles }: Access): string {
  const named = roles.map(({ name, expiresAt }) =>
    expiresAt === null ? name : `${name} until ${formatEnd(expiresAt)}`,
  );
  return named.join(', ') || '-';
}
