import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ApplicationView } from '#shared/contract/application.ts';
import { readAll } from '#shared/contract/read-all.ts';
import { queryKeys } from '../api/queries.ts';
import { useApi } from '../session/dashboard-context.ts';

/** All applications visible to the operator; a `staleTime` in milliseconds allows a cached list of that age. */
export function useAllApplications({
  enabled = true,
  staleTime = 0,
}: {
  readonly enabled?: boolean;
  readonly staleTime?: number;
} = {}): UseQueryResult<readonly ApplicationView[]> {
  const api = useApi();
  return useQuery({
    enabled,
    staleTime,
    queryKey: [...queryKeys.applications, 'all'],
    queryFn: ({ signal }) => readAll((cursor) => api('list-applications', { query: { limit: '100', cursor }, signal })),
  });
}
