import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { UserAccessView } from '#shared/contract/management.ts';
import type { Api } from '../api/create-api.ts';
import { queryKeys } from '../api/queries.ts';
import { useApi } from '../api/use-api.ts';

/** All applications with the user's access in each. */
export function useUserAccess(userId: string): UseQueryResult<readonly UserAccessView[]> {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.userAccess(userId),
    queryFn: ({ signal }) => loadAll(api, userId, signal),
  });
}

/** Reads every page, because the operator has to see every application. */
async function loadAll(api: Api, userId: string, signal: AbortSignal): Promise<readonly UserAccessView[]> {
  const all: UserAccessView[] = [];
  let cursor: string | undefined;
  do {
    const page = await api('list-user-access', { path: { userId }, query: { limit: '100', cursor }, signal });
    all.push(...page.items);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
