import type { BulkOutcome } from '#shared/contract/bulk.ts';
import type { NamedUser, ResolvedName } from '#shared/contract/user.ts';
import { createCsv } from '#shared/csv/write-csv.ts';
import type { OutcomeRow } from './outcome-table.tsx';

/** A row for each name that is not clear, then one for each user, with the outcome as far as it is known. */
export function rowsOf(
  users: readonly NamedUser[],
  unclear: readonly ResolvedName[],
  outcomes: readonly BulkOutcome[],
): OutcomeRow[] {
  const known = new Map(outcomes.map((outcome) => [outcome.userId, outcome]));
  return [
    ...unclear.map(unclearRow),
    ...users.map(({ userId, displayName, email }): OutcomeRow => {
      const { outcome = 'waiting', problem } = known.get(userId) ?? {};
      return {
        ...{ key: userId, name: userId, userId, displayName, email, kind: outcome },
        ...{ code: problem?.code, detail: problem?.detail },
      };
    }),
  ];
}

function unclearRow({ name, users }: ResolvedName): OutcomeRow {
  const ids = users.map(({ userId }) => userId).join(', ');
  return {
    ...{ key: `name ${name}`, name, kind: 'failed' },
    ...(users.length === 0
      ? { code: 'user_not_found', detail: 'There is no user with this id or e-mail address.' }
      : { code: 'ambiguous', detail: `Several users have this e-mail address: ${ids}. Use the id.` }),
  };
}

const csv = createCsv<OutcomeRow>([
  { title: 'userId', cell: ({ userId, name }) => userId ?? name },
  { title: 'email', cell: ({ email }) => email ?? '' },
  { title: 'code', cell: ({ code, kind }) => code ?? (kind === 'waiting' ? 'not_sent' : '') },
  { title: 'detail', cell: ({ detail }) => detail ?? '' },
]);

/** What failed or was not sent, as a file that can be chosen again. */
export function failuresFile(rows: readonly OutcomeRow[]): string {
  return csv.head + csv.lines(rows.filter(({ kind }) => kind === 'failed' || kind === 'waiting'));
}
