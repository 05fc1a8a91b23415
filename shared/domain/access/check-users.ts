import type { CheckedAccess } from '#shared/contract/access-check.ts';
import { type AppId, isUserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { readCurrentAccesses } from '#shared/table/items/access-item.ts';
import { authorize } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';
import { decideAccess } from './decide-access.ts';

export interface CheckRequest {
  readonly appId: AppId;
  readonly userIds: readonly string[];
}

/**
 * What holds now for each of up to 100 users in the application, in their order. Up to three requests to the table at once,
 * each for a user and the user's access together.
 */
export async function checkAccess(
  { appId, userIds }: CheckRequest,
  context: RequestContext,
): Promise<{ readonly items: readonly CheckedAccess[] }> {
  const { application: sealed, accesses } = await readCurrentAccesses(appId, [...new Set(userIds.filter(isUserId))]);
  const at = now();
  const application = await authorize(context, sealed, at);
  return {
    items: userIds.map((userId) => {
      const { user, access } = accesses.get(userId) ?? {};
      if (user === undefined || access === undefined) return { userId, code: 'user_not_found' };
      return decideAccess({ application, user, access }, at);
    }),
  };
}
