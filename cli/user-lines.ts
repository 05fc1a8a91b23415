import type { UserView } from '#shared/contract/management.ts';
import { formatMoment } from './format-moment.ts';
import { type Column, recordLines } from './print-table.ts';

/** The columns of a list of users. */
export const userColumns: readonly Column<UserView>[] = [
  { title: 'USER', cell: ({ userId }) => userId },
  { title: 'STATUS', cell: ({ status }) => status, tone: ({ status }) => (status === 'inactive' ? 'red' : undefined) },
  { title: 'NAME', cell: ({ displayName }) => displayName ?? '-' },
  { title: 'EMAIL', cell: ({ email }) => email ?? '-' },
  { title: 'CREATED', cell: ({ createdAt }) => formatMoment(createdAt) },
];

/** A user, as lines of a label and a value. */
export function userLines({ userId, status, displayName, email, createdAt, updatedAt }: UserView): string[] {
  return recordLines([
    ['user', userId],
    ['status', status],
    ['name', displayName ?? '-'],
    ['email', email ?? '-'],
    ['created', formatMoment(createdAt)],
    ['updated', formatMoment(updatedAt)],
  ]);
}
