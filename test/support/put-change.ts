import type { AppId, UserId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { changeIndexKey, userChangeKey } from '#shared/table/keys/change-item-keys.ts';
import { pendingKey } from '#shared/table/keys/feed-item-keys.ts';
import { putItems } from './alter-item.ts';
import { storedChange } from './stored-items.ts';

interface WhichChange {
  readonly secondsAgo: number;
  /** The time from which it is counted. Default: now. */
  readonly from?: number;
  readonly userId: string;
  readonly appId: string;
  /** By default an operator without a reason. */
  readonly caller?: object;
  readonly sourceIp?: string;
  readonly reason?: string;
}

/**
 * Puts a change of an application into the table as if the service had written it this many seconds ago; returns what
 * the application reads.
 */
export async function putChange(endpoint: string, { secondsAgo, from = Date.now(), ...given }: WhichChange) {
  const at = new Date(from - secondsAgo * 1000);
  const id = createUlid(at);
  const change = { ...storedChange(), ...given, id, at: at.toISOString() };
  const keys = { ...userChangeKey(given.userId as UserId, id), ...changeIndexKey(given.appId as AppId, id) };
  const pending = {
    ...pendingKey(given.appId as AppId, { id, userId: given.userId }),
    id,
    action: change.action,
    userId: given.userId,
  };
  await putItems({ endpoint }, { ...keys, ...change, ttl: 2_000_000_000 }, pending);
  const { integrity: _, ...shown } = change;
  return shown;
}
