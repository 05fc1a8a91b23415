import type { AccessStatus } from '#shared/contract/access.ts';
import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import { deciderLabels, nameCaller } from '#shared/contract/wording.ts';
import { type CsvColumn, createCsv } from '#shared/csv/write-csv.ts';
import { accessLabels, notSetLabel, userStatusLabels } from '../words.ts';

const columns: readonly CsvColumn<ApplicationUserView>[] = [
  { title: 'userId', cell: ({ userId }) => userId },
  { title: 'name', cell: ({ displayName }) => displayName ?? '' },
  { title: 'email', cell: ({ email }) => email ?? '' },
  { title: 'access', cell: ({ effectiveStatus }) => accessLabels[effectiveStatus] },
  { title: 'decided by', cell: ({ decidedBy }) => deciderLabels[decidedBy] },
  { title: 'user status', cell: ({ userStatus }) => userStatusLabels[userStatus] },
  { title: 'setting', cell: ({ explicit, status }) => (explicit ? labelOf(status) : notSetLabel) },
  { title: 'blocked until', cell: ({ until }) => until ?? '' },
  { title: 'reason', cell: ({ reason }) => reason ?? '' },
  { title: 'set by', cell: ({ statusSetBy }) => setterOf(statusSetBy) },
  { title: 'set at', cell: ({ statusSetBy }) => statusSetBy?.at ?? '' },
  { title: 'roles', cell: ({ roles }) => roles.map(({ name, expiresAt }) => withEnd(name, expiresAt)).join(', ') },
];

function setterOf(setting: ApplicationUserView['statusSetBy']): string {
  const caller = setting?.caller ?? undefined;
  if (caller === undefined) return '';
  return nameCaller(caller);
}

function labelOf(status: AccessStatus): string {
  return accessLabels[status];
}

function withEnd(role: string, expiresAt: string | null): string {
  return expiresAt === null ? role : `${role} until ${expiresAt}`;
}

/** The users of an application as CSV, for a spreadsheet; a bulk change reads the same file. */
export function createUsersFile(users: readonly ApplicationUserView[]): string {
  const { head, lines } = createCsv(columns);
  return head + lines(users);
}
