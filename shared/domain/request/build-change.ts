import type { Change, ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { retryOnConflict } from './optimistic-locking.ts';
import type { RequestContext } from './request-context.ts';

/** What an operation knows of its change; the rest is the request's. */
export interface ChangeContent {
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

/** The Change to write in the transaction of what it records. */
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

/** Creates one item together with its Change: 409 `already_exists` if there is one. */
export async function createWithChange(
  entry: TransactEntry,
  context: RequestContext,
  content: ChangeContent,
): Promise<void> {
  await retryOnConflict(async () => {
    const outcome = await transact([entry, putChangeEntry(buildChange(context, content))]);
    if (outcome.kind === 'conflict') return 'conflict';
    if (outcome.kind === 'committed') return undefined;
    throw new ServiceError('already_exists', { detail: 'This id is taken. Choose another one.' });
  });
}
