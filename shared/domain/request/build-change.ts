import type { Change, ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createSalt, createUlid } from '#shared/core/ids.ts';
import { type ChainKey, chainChange } from '#shared/integrity/change-mac.ts';
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
  readonly undoOf?: string;
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  readonly reason: string | null;
  /** The head of the chain of what is changed, as it was read; `null` where there is none. */
  readonly previous: string | null;
}

/**
 * The Change to write in the transaction of what it records, whose item holds its MAC from then on. It is built immediately
 * before that is sent: its time and id are those of the sending, so that no later Change becomes visible long before it.
 */
export function buildChange(context: RequestContext, key: ChainKey, content: ChangeContent): Change {
  const { action, at, appId, userId, role, keyId, undoOf, before, after, reason, previous } = content;
  const change = {
    id: createUlid(new Date(at)),
    at,
    action,
    ...(appId === undefined ? {} : { appId }),
    ...(userId === undefined ? {} : { userId }),
    ...(role === undefined ? {} : { role }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(context.bulkId === undefined ? {} : { bulkId: context.bulkId }),
    caller: context.caller,
    requestId: context.requestId,
    sourceIp: context.sourceIp,
    ...(undoOf === undefined ? {} : { undoOf }),
    before,
    after,
    reason,
  };
  return chainChange(change, { previous, salt: createSalt() }, key);
}

/** The error of what is created under an id that is taken: 409. */
export function alreadyExists(): ServiceError {
  return new ServiceError('already_exists', { detail: 'This id is taken. Choose another one.' });
}
