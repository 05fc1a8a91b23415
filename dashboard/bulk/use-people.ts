import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { NamedUser, ResolvedName } from '#shared/contract/user.ts';
import { countOf } from '#shared/contract/wording.ts';
import { CsvError, readNames } from '#shared/csv/read-csv.ts';
import { useNewWriter } from '../session/dashboard-context.ts';
import { useDebounced } from '../users/use-debounced.ts';
import { inBatches } from './in-batches.ts';

/** The most users of one bulk change in the dashboard; the command line accepts more. */
const maxNames = 10_000;

/** The users named by a text of user IDs or e-mail addresses. */
export interface People {
  /** Why the text itself is not valid. */
  readonly mistake: string | undefined;
  readonly count: number;
  readonly users: readonly NamedUser[];
  /** Names that match no user, or more than one. */
  readonly unrecognized: readonly ResolvedName[];
  readonly isFinding: boolean;
  readonly error: Error | null;
}

/** Looks up the users of a text, once typing pauses. */
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
    unrecognized: found.filter((each) => each.users.length !== 1),
    isFinding: isFetching || settled !== text,
    error,
  };
}

function parse(text: string): { names: readonly string[]; mistake: string | undefined } {
  try {
    const names = readNames(text);
    if (names.length <= maxNames) return { names, mistake: undefined };
    return {
      names: [],
      mistake: `${countOf(names.length, 'user')} are too many. Add at most ${maxNames.toLocaleString('en')}, or use the command line.`,
    };
  } catch (error) {
    if (error instanceof CsvError) return { names: [], mistake: error.message };
    throw error;
  }
}
