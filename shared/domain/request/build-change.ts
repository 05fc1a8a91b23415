import type { Change, ChangeAction, RecordedState } from '#shared/contract/change.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createSalt, createUlid } from '#shared/core/ids.ts';
import { type ChainKey, chainChange } from '#shared/integrity/change-mac.ts';
import type { RequestContext } from './request-context.ts';
import { reasonOf } from './require-reason.ts';

/** The operation's part of a change; the rest comes from the request. */
export interface ChangeContent {
  readonly action: ChangeAction;
  /** From `monotonicTimestamp`. */
  readonly at: string;
  readonly appId?: string;
  readonly connectionId?: string;
  readonly userId?: string;
  readonly role?: string;
  readonly keyId?: string;
  readonly webhookId?: string;
  readonly undoOf?: string;
  readonly before: RecordedState | null;
  readonly after: RecordedState | null;
  /** Default: the reason of the request. */
  readonly reason?: string | null;
  /** The head of the changed item's chain, as read; `null` if there is none. */
  readonly previous: string | null;
}

/**
 * The Change to write in the same transaction as the item, which then stores its MAC. Built immediately
 * before sending, which sets its time and id, so that no later Change becomes visible long before it.
 */
export function buildChange(context: RequestContext, key: ChainKey, content: ChangeContent): Change {
  const { action, at, appId, connectionId, userId, role, keyId, webhookId, undoOf, before, after, previous } = content;
  const { reason, ticket } = reasonOf(context, content);
  const change = {
    id: createUlid(new Date(at)),
    at,
    action,
    ...(appId === undefined ? {} : { appId }),
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(userId === undefined ? {} : { userId }),
    ...(role === undefined ? {} : { role }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(webhookId === undefined ? {} : { webhookId }),
    ...(context.bulkId === undefined ? {} : { bulkId: context.bulkId }),
    caller: context.caller,
    requestId: context.requestId,
    sourceIp: context.sourceIp,
    ...(undoOf === undefined ? {} : { undoOf }),
    before,
    after,
    reason,
    ...(ticket === null ? {} : { ticket }),
  };
  return chainChange(change, { previous, salt: createSalt() }, key);
}

/** The error for an id that is already taken: 409. */
export function alreadyExists(): ServiceError {
  return new ServiceError('already_exists', { detail: 'This id is taken. Choose another id.' });
}
