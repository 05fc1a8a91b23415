import type { Access } from '#shared/contract/access.ts';
import { accessLabels, deciderLabels, notSetLabel, userStatusLabels } from '#shared/contract/wording.ts';
import { formatExpiry, formatTime } from '../terminal/format-time.ts';
import { type Column, recordLines } from '../terminal/print-table.ts';

/** A user's access to one application as labelled lines; after a change, with the id that undoes it. */
export function accessLines(access: Access & { readonly changeId?: string | null }): string[] {
  const { userId, appId, userStatus, effectiveStatus, reason, version, updatedAt } = access;
  return recordLines([
    ['user', `${userId} (${userStatusLabels[userStatus]})`],
    ['application', appId],
    ['access', accessLabels[effectiveStatus] + (effectiveStatus === 'enabled' ? '' : `: ${denialReason(access)}`)],
    ['setting', settingOf(access)],
    ['reason', reason ?? '-'],
    ['roles', rolesOf(access)],
    ['version', String(version)],
    ['updated', formatTime(updatedAt)],
    ...(access.changeId ? ([['change', access.changeId]] as const) : []),
  ]);
}

/** The columns of a list of accesses, which follow the user or the application. */
export const accessColumns: readonly Column<Access>[] = [
  {
    title: 'STATUS',
    cell: ({ effectiveStatus }) => accessLabels[effectiveStatus],
    tone: ({ effectiveStatus }) => (effectiveStatus === 'disabled' ? 'red' : undefined),
  },
  { title: 'DECIDED BY', cell: ({ decidedBy }) => deciderLabels[decidedBy] },
  { title: 'UNTIL', isText: true, cell: ({ until }) => formatExpiry(until) },
  { title: 'ROLES', isText: true, cell: rolesOf },
  { title: 'REASON', isText: true, cell: ({ reason }) => reason ?? '-' },
];

function denialReason({ decidedBy }: Access): string {
  if (decidedBy === 'user') return 'the user is inactive';
  return decidedBy === 'rollout' ? 'not in the rollout of this application' : 'by a setting in this application';
}

function settingOf({ explicit, status, until }: Access): string {
  if (!explicit) return notSetLabel;
  return until === null ? accessLabels[status] : `${accessLabels[status]} until ${formatExpiry(until)}`;
}

function rolesOf({ roles }: Access): string {
  const named = roles.map(({ name, expiresAt }) =>
    expiresAt === null ? name : `${name} until ${formatExpiry(expiresAt)}`,
  );
  return named.join(', ') || '-';
}
