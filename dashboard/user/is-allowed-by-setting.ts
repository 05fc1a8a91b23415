import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { isInRollout } from '#shared/contract/rollout.ts';

/** Whether the user's setting or the rollout allows access now, regardless of the global status. */
export function isAllowedBySetting(access: UserAccessView, now: number): boolean {
  const { explicit, status, until, decidedBy, effectiveStatus, appId, userId, rolloutPercent } = access;
  if (explicit) return status === 'enabled' || (until !== null && Date.parse(until) <= now);
  return decidedBy === 'user' ? isInRollout(appId, userId, rolloutPercent) : effectiveStatus === 'enabled';
}
