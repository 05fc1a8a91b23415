import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccessStatus, ChangedAccess } from '#shared/contract/access.ts';
import type { ApplicationUserView, UserAccessView } from '#shared/contract/access-lists.ts';
import type { Change } from '#shared/contract/change.ts';
import { readAll } from '#shared/contract/read-all.ts';
import { queryKeys } from '../api/queries.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';

/** An access with the names of the user and the application, as both their pages show it. */
export type NamedAccess = UserAccessView & Pick<ApplicationUserView, 'displayName'>;

/** All applications, with the user's access to each. */
export function useUserAccess(userId: string): UseQueryResult<readonly UserAccessView[]> {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.userAccess(userId),
    queryFn: ({ signal }) =>
      readAll((cursor) => api('list-user-access', { path: { userId }, query: { limit: '100', cursor }, signal })),
  });
}

/** The operator has just set the status, so the service need not be asked who did. */
function setBy(
  before: UserAccessView,
  after: ChangedAccess,
  { caller, ticket }: { readonly caller: Caller | null; readonly ticket: string | null },
): Partial<UserAccessView> {
  const { changeId, reason, status, until, explicit, updatedAt: at } = after;
  const isSame = before.status === status && before.until === until && before.reason === reason;
  if (changeId === null || at === null || (isSame && before.explicit === explicit)) return {};
  return { statusSetBy: { changeId, at, caller, reason, ticket, bulkId: null } };
}

/** A write to one access. */
export interface AccessWrite {
  /** The change as a command: `Block access to Billing`. */
  readonly intent: string;
  /** The status that the switch shows while the write is pending. Default: no change. */
  readonly status?: AccessStatus;
  /** The version that was seen. */
  readonly ifMatch: number;
  /** The ticket of a change of the status. Default: none. */
  readonly ticket?: string | null;
  readonly send: (ifMatch: number) => Promise<ChangedAccess>;
  /** Gets the answer, and the access after the write. */
  readonly onDone?: (answer: ChangedAccess, after: NamedAccess) => void;
  /** Closes the dialog that sends the write; after a failure the dialog stays open and shows it. Default: no dialog. */
  readonly closeDialog?: () => void;
}

type Caller = Change['caller'];

export type AccessMutation = Action<ChangedAccess, AccessWrite>;

/** Writes to one access. The response replaces the access on the user's page; lists and histories are reloaded. */
export function useAccessMutation(access: NamedAccess): AccessMutation {
  const { userId, appId } = access;
  const queryClient = useQueryClient();
  const { caller } = useOperator();
  return useAction({
    isRepeatable: true,
    mutationFn: ({ send, ifMatch }: AccessWrite) => send(ifMatch),
    onSuccess: (answer, { closeDialog, onDone, ticket = null }) => {
      closeDialog?.();
      const written = <One extends UserAccessView>(one: One): One => ({
        ...one,
        ...answer,
        ...setBy(one, answer, { caller, ticket }),
      });
      queryClient.setQueryData<readonly UserAccessView[]>(queryKeys.userAccess(userId), (all) =>
        all?.map((one) => (one.appId === appId ? written(one) : one)),
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.userChanges(userId) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.applicationUsers(appId) });
      onDone?.(answer, written(access));
    },
  });
}
