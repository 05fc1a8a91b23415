import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Access, ChangedAccess } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { Api } from '../api/create-api.ts';
import { queryKeys } from '../api/queries.ts';
import { useApi } from '../session/dashboard-context.ts';

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

/** A write to one access. */
export interface AccessWrite {
  /** What it does, as a command: `Turn Billing off`. */
  readonly intent: string;
  /** What the switch shows while the write is pending. Default: no change. */
  readonly turns?: 'on' | 'off';
  /** The version that was seen. */
  readonly ifMatch: number;
  readonly send: (ifMatch: number) => Promise<ChangedAccess>;
  readonly onDone?: (answer: ChangedAccess) => void;
}

export type AccessMutation = UseMutationResult<ChangedAccess, Error, AccessWrite>;

/** Writes to one access. The answer replaces what is shown, and the history is reloaded. */
export function useAccessMutation({ userId }: Access): AccessMutation {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ send, ifMatch }: AccessWrite) => send(ifMatch),
    onSuccess: (answer, { onDone }) => {
      queryClient.setQueryData<readonly UserAccessView[]>(queryKeys.userAccess(userId), (all) =>
        all?.map((one) => (one.appId === answer.appId ? { ...one, ...answer } : one)),
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.userChanges(userId) });
      onDone?.(answer);
    },
  });
}
