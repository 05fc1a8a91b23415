import { useQuery } from '@tanstack/react-query';
import type { Change } from '#shared/contract/change.ts';
import { type ManageAnswers, manageOperations } from '#shared/contract/operations.ts';
import { type HeldRole, limitOf, mayCall } from '#shared/contract/operator-role.ts';
import type { WriteName } from '../api/create-api.ts';
import { queryKeys } from '../api/queries.ts';
import { useApi } from './dashboard-context.ts';

export interface OperatorRights {
  /** Whether the operator may perform an operation, in this application where it concerns one. */
  readonly may: (operation: WriteName, appId?: string) => boolean;
  /** Whether the operator may perform an operation in this application, or without one in any. */
  readonly mayInAny: (operation: WriteName, appId?: string) => boolean;
  /** Why not, for people; undefined if so, and until it is known. */
  readonly refusal: (operation: WriteName, appId?: string) => string | undefined;
  /** `viewer, support of billing`; undefined until it is known. */
  readonly roles: string | undefined;
  /** As whom changes are recorded; `null` until it is known. */
  readonly caller: Change['caller'] | null;
  /** `Limited to billing`, if lists of applications are; for people. */
  readonly limit: string | undefined;
}

/**
 * What the logged-in operator may do. Nothing is offered until it is known; where it cannot be read everything is, because the
 * service refuses what is not allowed.
 */
export function useOperator(): OperatorRights {
  const api = useApi();
  const { data, isError } = useQuery({
    queryKey: queryKeys.operator,
    queryFn: ({ signal }) => api('get-operator', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const held = data?.roles;
  const may: OperatorRights['may'] = (operation, appId) =>
    held ? mayCall(held, manageOperations[operation], appId) : isError;
  const mayInAny: OperatorRights['mayInAny'] = (operation, appId) =>
    appId === undefined
      ? [undefined, ...(held ?? []).map((each) => each.appId ?? undefined)].some((one) => may(operation, one))
      : may(operation, appId);
  return {
    may,
    mayInAny,
    refusal: (operation, appId) =>
      held && !may(operation, appId) ? describeRefusal(manageOperations[operation].role, appId) : undefined,
    roles: held?.map(describeRole).join(', '),
    caller: data === undefined ? null : callerOf(data),
    limit: held && describeLimit(held),
  };
}

function callerOf({ id, via, email }: ManageAnswers['get-operator']): Change['caller'] {
  return { kind: 'operator', id, via, ...(email !== null && { email }) };
}

function describeRefusal(role: string, appId = 'all applications'): string {
  return `Changing this takes the operator role ${role} for ${appId}.`;
}

function describeRole({ role, appId }: HeldRole): string {
  return appId === null ? role : `${role} of ${appId}`;
}

function describeLimit(held: readonly HeldRole[]): string | undefined {
  const limit = limitOf(held);
  return limit && `Limited to ${limit.join(', ') || 'no application'}`;
}
