import type { MemberView } from '#shared/contract/role-members.ts';
import { createCsv } from './write-csv.ts';

interface Holder extends MemberView {
  readonly appId: string;
}

/** Who holds a role in which application as CSV, in columns that an import of users reads. */
export function createHoldersFile(role: string, holders: readonly Holder[]): string {
  const { head, lines } = createCsv<Holder>([
    { title: 'userId', cell: ({ userId }) => userId },
    { title: 'displayName', cell: ({ displayName }) => displayName ?? '' },
    { title: 'email', cell: ({ email }) => email ?? '' },
    { title: 'application', cell: ({ appId }) => appId },
    { title: 'role', cell: () => role },
    { title: 'roleUntil', cell: ({ expiresAt }) => expiresAt ?? '' },
  ]);
  return head + lines(holders);
}
