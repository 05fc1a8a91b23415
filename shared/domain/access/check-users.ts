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
 * The effective access of up to 100 users in the application, in the order of the request. At most three parallel requests to
 * the table; a user and the user's access are always read in the same one.
 */
export async function checkAccess(
  { appId, userIds }: CheckRequest,
  context: RequestContext,
): Promise<{ readonly items: readonly CheckedAccess[] }> {
  const { application: guarded, accesses } = await readCurrentAccesses(appId, [...new Set(userIds.filter(isUserId))]);
  const at = now();
  const application = await authorize(context, guarded, at);
  return {
    items: userIds.map((userId) => {
      const { user, access } = accesses.get(userId) ?? {};
      if (user === undefined || access === undefined) return { userId, code: 'user_not_found' };
      return decideAccess({ application, user, access }, at);
    }),
  };
}
