import { useQuery } from '@tanstack/react-query';
import { createNameFinder, type FindNames, namesIn } from '#shared/csv/known-names.ts';
import { inBatches } from '../api/in-batches.ts';
import { useAllApplications } from '../forms/use-all-applications.ts';
import { useApi, useNewWriter } from '../session/dashboard-context.ts';

/** The known names of users and applications. */
export interface Names {
  /** Undefined for a user without a name, and until it is known. */
  readonly userName: (userId: string) => string | undefined;
  /** The ID until the name is known. */
  readonly appName: (appId: string) => string;
}

/** Finds the names of users, and of all applications, for lists that have only their IDs. */
export function useNames(userIds: readonly string[]): Names {
  const newWriter = useNewWriter();
  const wanted = [...new Set(userIds)].sort();
  const { data } = useQuery<ReadonlyMap<string, string>>({
    queryKey: ['names', wanted],
    enabled: wanted.length > 0,
    placeholderData: (previous) => previous,
    queryFn: async ({ signal }) =>
      namesIn(
        await inBatches(
          wanted,
          async (names) => (await newWriter()('resolve-users', { body: { names: [...names] }, signal })).items,
          { signal },
        ),
      ),
  });
  return { userName: (userId) => data?.get(userId), appName: useAppName() };
}

/** Names an application by its ID; the ID itself until the name is known. */
export function useAppName({ enabled = true }: { readonly enabled?: boolean } = {}): Names['appName'] {
  const { data = [] } = useAllApplications({ enabled, staleTime: 60_000 });
  return (appId) => data.find((one) => one.appId === appId)?.name ?? appId;
}

/** Creates finders of the names for an export, which stop when the signal is aborted. */
export function useNameFinder(): (signal: AbortSignal) => FindNames {
  const api = useApi();
  const newWriter = useNewWriter();
  return (signal) =>
    createNameFinder({
      resolveUsers: async (names) =>
        (await newWriter()('resolve-users', { body: { names: [...names] }, signal })).items,
      listApplications: (cursor) => api('list-applications', { query: { limit: '100', cursor }, signal }),
    });
}
