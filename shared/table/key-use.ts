import type { AppId } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import { queryItems, updateItem } from './client.ts';
import { keyUseKey, ranges } from './keys.ts';

/** Notes the day on which a key was used; touches no other attribute, which is all that the functions may. */
export async function noteKeyUse(appId: AppId, keyId: string, day: string): Promise<void> {
  await updateItem({
    TableName: config.tableName,
    Key: keyUseKey(appId, keyId),
    UpdateExpression: 'SET #lastUsedOn = :day',
    ExpressionAttributeNames: { '#lastUsedOn': 'lastUsedOn' },
    ExpressionAttributeValues: { ':day': day },
  });
}

/** The last day of use of each key of an application, by key id. */
export async function readKeyUses(appId: AppId): Promise<ReadonlyMap<string, string>> {
  const uses = new Map<string, string>();
  const range = ranges.keyUses(appId);
  let after: Record<string, unknown> | undefined;
  do {
    const page = await queryItems(range, { limit: 100, after });
    for (const item of page.items) uses.set(String(item.sk).slice('KEYUSE#'.length), String(item.lastUsedOn));
    after = page.next;
  } while (after !== undefined);
  return uses;
}
