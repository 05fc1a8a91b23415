import type { Change, ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import { createUlid } from '#shared/core/ids.ts';
import type { RequestContext } from './request-context.ts';

/** What happened, as far as the operation knows it. */
export interface Happening {
  readonly action: ChangeAction;
  readonly at: string;
  readonly appId?: string;
  readonly userId?: string;
  readonly role?: string;
  readonly keyId?: string;
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  readonly reason: string | null;
}

/** The Change to write in the transaction of what happened. */
export function recordChange(context: RequestContext, happening: Happening): Change {
  const { action, at, appId, userId, role, keyId, before, after, reason } = happening;
  return {
    id: createUlid(new Date(at)),
    at,
    action,
    ...(appId === undefined ? {} : { appId }),
    ...(userId === undefined ? {} : { userId }),
    ...(role === undefined ? {} : { role }),
    ...(keyId === undefined ? {} : { keyId }),
    caller: context.caller,
    requestId: context.requestId,
    sourceIp: context.sourceIp,
    before,
    after,
    reason,
  };
}
