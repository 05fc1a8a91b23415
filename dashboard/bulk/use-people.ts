import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { NamedUser, ResolvedName } from '#shared/contract/user.ts';
import { CsvError, readNames } from '#shared/csv/read-csv.ts';
import { useNewWriter } from '../session/dashboard-context.ts';
import { useDebounced } from '../users/use-debounced.ts';
import { inBatches } from './in-batches.ts';

/** Users of one bulk in the dashboard; the command line takes more. */
export const maxNames = 10_000;

/** Who is meant by a text of ids or e-mail addresses. */
export interface People {
  /** What is wrong with the text itself. */
  readonly mistake: string | undefined;
  readonly count: number;
  readonly users: readonly NamedUser[];
  /** Names that mean nobody, or several users. */
  readonly unclear: readonly ResolvedName[];
  readonly isFinding: boolean;
  readonly error: Error | null;
}

/** Finds the users of a text, once nothing was typed for a moment. */
export function usePeople(text: string): People {
  const newWriter = useNewWriter();
  const settled = useDebounced(text);
  const { names, mistake } = useMemo(() => parse(settled), [settled]);
  const { data, isFetching, error } = useQuery({
    queryKey: ['user-names', names],
    enabled: names.length > 0,
    queryFn: ({ signal }) =>
      inBatches<ResolvedName>(
        names,
        async (batch) => (await newWriter()('resolve-users', { body: { names: batch }, signal })).items,
        { signal },
      ),
  });
  const found = names.length > 0 ? (data ?? []) : [];
  const users = new Map(
    found
      .flatMap(({ users: [user, ...others] }) => (user && others.length === 0 ? [user] : []))
      .map((user) => [user.userId, user]),
  );
  return {
    mistake,
    count: names.length,
    users: [...users.values()],
    unclear: found.filter((each) => each.users.length !== 1),
    isFinding: isFetching || settled !== text,
    error,
  };
}

function parse(text: string): { names: readonly string[]; mistake: string | undefined } {
  try {
    const names = readNames(text);
    if (names.length <= maxNames) return { names, mistake: undefined };
    const most = maxNames.toLocaleString('en');
    return {
      names: [],
      mistake: `These are ${names.length.toLocaleString('en')}. At most ${most} go at once; the command line takes more.`,
    };
  } catch (error) {
    if (error instanceof CsvError) return { names: [], mistake: error.message };
    throw error;
  }
}
