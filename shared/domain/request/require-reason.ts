import { isReasonRequired, type ReasonDemand } from '#shared/contract/change-reason.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { RequestContext } from './request-context.ts';

/** Why a change is made: the change's own reason, which is also stored elsewhere, or else that of the request. */
export function reasonOf(
  context: RequestContext,
  change: { readonly reason?: string | null | undefined },
): { readonly reason: string | null; readonly ticket: string | null } {
  return { reason: change.reason ?? context.reason ?? null, ticket: context.ticket ?? null };
}

/**
 * Refuses a change without a reason where the deployment or its application requires one: 400 `reason_required`. Whatever
 * changes nothing needs none, and neither does the follow-up work of another change, such as the revocations of a deleted role.
 */
export function requireReason(
  context: RequestContext,
  change: { readonly reason?: string | null | undefined },
  application?: { readonly appId: string; readonly requireReason: ReasonDemand | null },
): void {
  if (context.attempt === undefined || reasonOf(context, change).reason !== null) return;
  const deployment = config().requireReason;
  if (!isReasonRequired(context.caller.kind, deployment, application?.requireReason ?? null)) return;
  const where = application === undefined || deployment !== null ? '' : ` in the application ${application.appId}`;
  throw new ServiceError('reason_required', {
    detail: `Changes${where} require a reason. Add a "reason" that says why.`,
  });
}
