import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import { applicationChangeKey, changeIndexKey, type Key, userChangeKey } from './keys.ts';
import { epochSeconds } from './time-to-live.ts';

const secondsPerDay = 86_400;

/** Adds a change to its user's history, else to its application's; goes into the transaction of what it records. */
export function putChangeEntry(change: Change) {
  const { appId } = change;
  const item = {
    ...changeKey(change),
    ...(appId === undefined ? {} : changeIndexKey(appId as AppId, change.id)),
    ...change,
    ttl: epochSeconds(change.at) + config.changeRetentionDays * secondsPerDay,
  };
  return { Put: { TableName: config.tableName, Item: item } };
}

function changeKey({ id, userId, appId }: Change): Key {
  if (userId !== undefined) return userChangeKey(userId as UserId, id);
  return applicationChangeKey(appId as AppId, id);
}
