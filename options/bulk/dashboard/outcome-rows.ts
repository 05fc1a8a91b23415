import type { BulkOutcome } from '#shared/contract/bulk.ts';
import type { NamedUser, ResolvedName } from '#shared/contract/user.ts';
import { createCsv } from '#shared/csv/write-csv.ts';
import type { OutcomeRow } from './outcome-table.tsx';

/** One row for each unrecognized name, then one for each user, with the outcome once it is known. */
export function rowsOf(
  users: readonly NamedUser[],
  unrecognized: readonly ResolvedName[],
  outcomes: readonly BulkOutcome[],
): OutcomeRow[] {
  const known = new Map(outcomes.map((outcome) => [outcome.userId, outcome]));
  return [
    ...unrecognized.map(unrecognizedRow),
    ...users.map(({ userId, displayName, email }): OutcomeRow => {
      const { outcome = 'waiting', problem } = known.get(userId) ?? {};
      return {
        key: userId,
        name: userId,
        userId,
        displayName,
        email,
        kind: outcome,
        code: problem?.code,
        detail: problem?.detail,
      };
    }),
  ];
}

function unrecognizedRow({ name, users }: ResolvedName): OutcomeRow {
  const ids = users.map(({ userId }) => userId).join(', ');
  return {
    key: `name ${name}`,
    name,
    kind: 'failed',
    ...(users.length === 0
      ? { code: 'user_not_found', detail: 'No user has this ID or e-mail address.' }
      : { code: 'ambiguous', detail: `Several users have this e-mail address: ${ids}. Use the user ID.` }),
  };
}

const csv = createCsv<OutcomeRow>([
  { title: 'userId', cell: ({ userId, name }) => userId ?? name },
  { title: 'displayName', cell: ({ displayName }) => displayName ?? '' },
  { title: 'email', cell: ({ email }) => email ?? '' },
  { title: 'code', cell: ({ code, kind }) => code ?? (kind === 'waiting' ? 'not_sent' : '') },
  { title: 'detail', cell: ({ detail }) => detail ?? '' },
]);

/** The users that failed or were not sent, as a file for another bulk change. */
export function failuresFile(rows: readonly OutcomeRow[]): string {
  return csv.head + csv.lines(rows.filter(({ kind }) => kind === 'failed' || kind === 'waiting'));
}
