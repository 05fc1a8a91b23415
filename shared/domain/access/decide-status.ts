import { fullRollout, isInRollout } from '#shared/contract/rollout.ts';
import { hasPassed } from '#shared/core/expiry.ts';

/** What decides whether a user may enter an application, in plain types: the SDK's test double decides by the same code. */
export interface StatusBasis {
  readonly application: { readonly rolloutPercent: number };
  readonly user: { readonly status: 'active' | 'inactive' };
  /** That of the user in the application; its status is `null` when none was set. */
  readonly access: {
    readonly userId: string;
    readonly appId: string;
    readonly status: 'enabled' | 'disabled' | null;
    readonly until: string | null;
  };
}

/** Whether the user may enter, and by what that is so. */
export interface StatusDecision {
  readonly effectiveStatus: 'enabled' | 'disabled';
  readonly decidedBy: 'user' | 'explicit' | 'lapsed' | 'rollout' | 'default';
}

/** Decides the effective status of one user in one application at a time. The only place that does. */
export function decideStatus({ application, user, access }: StatusBasis, at: Date): StatusDecision {
  if (user.status === 'inactive') return { effectiveStatus: 'disabled', decidedBy: 'user' };
  if (access.status === null) return decideUnset(application, access);
  if (access.status === 'disabled' && hasPassed(access.until, at))
    return { effectiveStatus: 'enabled', decidedBy: 'lapsed' };
  return { effectiveStatus: access.status, decidedBy: 'explicit' };
}

/** Without an explicit status the application's rollout decides; a full one lets everybody in. */
function decideUnset(
  { rolloutPercent }: StatusBasis['application'],
  { appId, userId }: StatusBasis['access'],
): StatusDecision {
  if (rolloutPercent >= fullRollout) return { effectiveStatus: 'enabled', decidedBy: 'default' };
  const isLetIn = isInRollout(appId, userId, rolloutPercent);
  return { effectiveStatus: isLetIn ? 'enabled' : 'disabled', decidedBy: 'rollout' };
}
