import { useQuery } from '@tanstack/react-query';
import type { Change } from '#shared/contract/change.ts';
import { isReasonRequired, type ReasonDemand } from '#shared/contract/change-reason.ts';
import type { ManageAnswers } from '#shared/contract/operations.ts';
import { type HeldRole, limitOf, mayCall, strongestRole } from '#shared/contract/operator-role.ts';
import type { WriteName } from '../api/create-api.ts';
import { operationRoutes } from '../api/operation-routes.ts';
import { queryKeys } from '../api/queries.ts';
import { useApi } from './dashboard-context.ts';

export interface OperatorRights {
  /** Whether the operator may perform an operation, in this application if it affects one. */
  readonly may: (operation: WriteName, appId?: string) => boolean;
  /** Whether the operator may perform an operation in this application; without one, in at least one application. */
  readonly mayInAny: (operation: WriteName, appId?: string) => boolean;
  /** Whether the operator may only look, in all applications. */
  readonly isViewer: boolean;
  /**
   * The missing role as a sentence; undefined if the operation is allowed, until that is known, and for a viewer, whom the banner
   * of all pages tells it.
   */
  readonly missingRole: (operation: WriteName, appId?: string) => string | undefined;
  /** Whether the operator must give a reason for a change, in an application with this setting if it is in one. */
  readonly needsReason: (demand?: ReasonDemand | null) => boolean;
  /** `viewer, support of billing`; undefined until it is known. */
  readonly roles: string | undefined;
  /** The caller that changes are recorded with; `null` until it is known. */
  readonly caller: Change['caller'] | null;
  /** `Limited to billing`, if the operator sees only some applications. */
  readonly restriction: string | undefined;
  /** The applications that the operator sees; undefined without a limit. */
  readonly limitedTo: readonly string[] | undefined;
}

/**
 * The permissions of the logged-in operator. Actions are hidden until they are known. If they cannot be read, all actions are
 * shown, because the service rejects forbidden ones anyway.
 */
export function useOperator(): OperatorRights {
  const api = useApi();
  const { data, isError } = useQuery({
    queryKey: queryKeys.operator,
    queryFn: ({ signal }) => api('get-operator', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const held = data?.roles;
  const isViewer = held !== undefined && held.length > 0 && held.every(({ role }) => role === 'viewer');
  const may: OperatorRights['may'] = (operation, appId) =>
    held ? mayCall(held, operationRoutes[operation], appId) : isError;
  const mayInAny: OperatorRights['mayInAny'] = (operation, appId) =>
    appId === undefined
      ? [undefined, ...(held ?? []).map((each) => each.appId ?? undefined)].some((one) => may(operation, one))
      : may(operation, appId);
  return {
    may,
    mayInAny,
    isViewer,
    missingRole: (operation, appId) =>
      held && !isViewer && !may(operation, appId) ? describeRefusal(operationRoutes[operation].role, appId) : undefined,
    needsReason: (demand = null) => data?.reasonRequired === true || isReasonRequired('operator', demand),
    roles: held?.map(describeRole).join(', '),
    caller: data === undefined ? null : callerOf(data),
    restriction: held && describeLimit(held),
    limitedTo: held && limitOf(held),
  };
}

function callerOf({ id, via, email, roles }: ManageAnswers['get-operator']): Change['caller'] {
  const role = strongestRole(roles, null) ?? 'viewer';
  return { kind: 'operator', id, via, role, ...(email !== null && { email }) };
}

function describeRefusal(role: string, appId = 'all applications'): string {
  return `Requires the ${role} role for ${appId}.`;
}

function describeRole({ role, appId }: HeldRole): string {
  return appId === null ? role : `${role} of ${appId}`;
}

function describeLimit(held: readonly HeldRole[]): string | undefined {
  const applications = limitOf(held);
  return applications && `Limited to ${applications.join(', ') || 'no application'}`;
}
