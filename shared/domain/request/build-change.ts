import type { Change, ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import type { RequestContext } from './request-context.ts';

/** What an operation knows of its change; the rest is the request's. */
export interface ChangeContent {
  readonly action: ChangeAction;
  /** By `monotonicTimestamp`. */
  readonly at: string;
  readonly appId?: string;
  readonly userId?: string;
  readonly role?: string;
  readonly keyId?: string;
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  readonly reason: string | null;
}

/**
 * The Change to write in the transaction of what it records. It is built immediately before that is sent: its time and id
 * are those of the sending, so that no later Change becomes visible long before it.
 */
export function buildChange(context: RequestContext, content: ChangeContent): Change {
  const { action, at, appId, userId, role, keyId, before, after, reason } = content;
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

/** The error of what is created under an id that is taken: 409. */
export function alreadyExists(): ServiceError {
  return new ServiceError('already_exists', { detail: 'This id is taken. Choose another one.' });
}
