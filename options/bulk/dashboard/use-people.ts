import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { inBatches } from '#dashboard/api/in-batches.ts';
import { useNewWriter } from '#dashboard/session/dashboard-context.ts';
import { useDebounced } from '#dashboard/users/use-debounced.ts';
import type { NamedUser, ResolvedName } from '#shared/contract/user.ts';
import { countOf } from '#shared/contract/wording.ts';
import { CsvError } from '#shared/csv/read-csv.ts';
import { doubtsOf, namesOf, type PeopleLine, readPeople } from '#shared/csv/read-people.ts';

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
  const { lines, asked, ...read } = useMemo(() => parse(settled), [settled]);
  const { data, isFetching, error } = useQuery({
    queryKey: ['user-names', asked],
    enabled: asked.length > 0,
    queryFn: ({ signal }) =>
      inBatches<ResolvedName>(
        asked,
        async (batch) => (await newWriter()('resolve-users', { body: { names: batch }, signal })).items,
        { signal },
      ),
  });
  const { found, mistake = read.mistake } = useMemo(() => settle(lines, data ?? []), [lines, data]);
  const users = new Map(
    found
      .flatMap(({ users: [user, ...others] }) => (user && others.length === 0 ? [user] : []))
      .map((user) => [user.userId, user]),
  );
  return {
    mistake,
    count: data === undefined ? asked.length : found.length,
    users: [...users.values()],
    unrecognized: found.filter((each) => each.users.length !== 1),
    isFinding: isFetching || settled !== text,
    error,
  };
}

interface ReadText {
  readonly lines: readonly PeopleLine[];
  /** The names to look up. */
  readonly asked: readonly string[];
  readonly mistake?: string;
}

function parse(text: string): ReadText {
  return orMistake<ReadText>({ lines: [], asked: [] }, () => {
    const lines = readPeople(text);
    const names = namesOf(lines, () => false);
    if (names.length <= maxNames) return { lines, asked: [...new Set([...names, ...doubtsOf(lines)])] };
    throw new CsvError(
      `${countOf(names.length, 'user')} are too many. Add at most ${maxNames.toLocaleString('en')}, or use the command line.`,
    );
  });
}

interface FoundPeople {
  readonly found: readonly ResolvedName[];
  readonly mistake?: string;
}

/** What was found for the people of a text, once it is known which of its words are ids. */
function settle(lines: readonly PeopleLine[], resolved: readonly ResolvedName[]): FoundPeople {
  return orMistake<FoundPeople>({ found: [] }, () => {
    const byName = new Map(resolved.map((each) => [each.name, each]));
    const isUser = (id: string) => byName.get(id)?.users.some(({ userId }) => userId === id) ?? false;
    return { found: namesOf(lines, isUser).flatMap((name) => byName.get(name) ?? []) };
  });
}

function orMistake<Read extends { readonly mistake?: string }>(nothing: Read, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof CsvError) return { ...nothing, mistake: error.message };
    throw error;
  }
}
