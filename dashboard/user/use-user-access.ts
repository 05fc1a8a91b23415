import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Access, ChangedAccess } from '#shared/contract/access.ts';
import type { ApplicationUserView, UserAccessView } from '#shared/contract/access-lists.ts';
import type { Change } from '#shared/contract/change.ts';
import { queryKeys } from '../api/queries.ts';
import { readAll } from '../api/read-all.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';

/** An access with what people call the application, as the user's page and the application's page show it. */
export type NamedAccess = Access &
  Pick<UserAccessView, 'appName' | 'rolloutPercent' | 'statusSetBy'> &
  Partial<Pick<ApplicationUserView, 'userStatusSetBy'>>;

/** All applications with the user's access in each. */
export function useUserAccess(userId: string): UseQueryResult<readonly UserAccessView[]> {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.userAccess(userId),
    queryFn: ({ signal }) =>
      readAll((cursor) => api('list-user-access', { path: { userId }, query: { limit: '100', cursor }, signal })),
  });
}

/** Who set the status is the operator at work, without asking for it. */
function setBy(before: UserAccessView, after: ChangedAccess, caller: Caller | null): Partial<UserAccessView> {
  const { changeId, reason, status, until, explicit, updatedAt: at } = after;
  const isSame = before.status === status && before.until === until && before.reason === reason;
  if (changeId === null || at === null || (isSame && before.explicit === explicit)) return {};
  return { statusSetBy: { changeId, at, caller, reason } };
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
  /** Closes the dialog that sends it, which stays open and shows why it failed. Default: no dialog sends it. */
  readonly closeDialog?: () => void;
}

type Caller = Change['caller'];

export type AccessMutation = UseMutationResult<ChangedAccess, Error, AccessWrite>;

/** Writes to one access. The answer replaces what is shown on the user's page, and lists and histories are reloaded. */
export function useAccessMutation({ userId, appId }: Access): AccessMutation {
  const queryClient = useQueryClient();
  const { caller } = useOperator();
  return useMutation({
    mutationFn: ({ send, ifMatch }: AccessWrite) => send(ifMatch),
    onSuccess: (answer, { closeDialog, onDone }) => {
      closeDialog?.();
      queryClient.setQueryData<readonly UserAccessView[]>(queryKeys.userAccess(userId), (all) =>
        all?.map((one) => (one.appId === answer.appId ? { ...one, ...answer, ...setBy(one, answer, caller) } : one)),
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.userChanges(userId) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.applicationUsers(appId) });
      onDone?.(answer);
    },
  });
}
