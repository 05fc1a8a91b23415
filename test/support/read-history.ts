import { isDeepStrictEqual } from 'node:util';
import { digestsOfCaller } from '#shared/table/items/caller-names.ts';
import { historyIndexKey } from '#shared/table/keys/change-item-keys.ts';
import type { Answer, Key } from './send-request.ts';
import type { TestService } from './start-service.ts';
import { anIntegrity } from './view-shapes.ts';

type Item = Record<string, unknown>;

/** Returns the changes of a user's accesses, as stored, oldest first. */
export async function readHistory(service: TestService, userId: string): Promise<Item[]> {
  const items = [...(await service.items())].filter(([key, item]) => isAccessChange(key, item, userId));
  return items.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

function isAccessChange(key: string, item: Item, userId: string): boolean {
  return key.startsWith(`USER#${userId} CHANGE#`) && item.appId !== undefined;
}

/** The stored change of a signed request, as its response implies, with these members. */
export function changeOf({ headers, body }: Answer, { keyId }: Key, members: Item): Item {
  const { appId, userId, changeId, updatedAt } = body;
  const caller = { kind: 'api-key', appId, keyId } as const;
  return {
    pk: `USER#${userId}`,
    sk: `CHANGE#${changeId}`,
    gsi1pk: `APP#${appId}#CHANGES`,
    gsi1sk: changeId,
    ...historyIndexKey(changeId),
    id: changeId,
    at: updatedAt,
    appId,
    userId,
    caller,
    by: digestsOfCaller(caller),
    requestId: headers['apigw-requestid'],
    sourceIp: '127.0.0.1',
    reason: null,
    integrity: anIntegrity,
    ttl: Math.ceil(Date.parse(updatedAt) / 1000) + 30 * 86_400,
    ...members,
  };
}

/** Returns the keys of the items that an action wrote or removed, with `*` for their random parts. */
export async function writtenBy(service: TestService, action: () => Promise<unknown>): Promise<string[]> {
  const before = await service.items();
  await action();
  const after = await service.items();
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => !isDeepStrictEqual(before.get(key), after.get(key)))
    .map((key) => key.replace(/^NONCE#.*|(?<=CHANGE#).*/, (found) => (found.startsWith('NONCE') ? 'NONCE#*' : '*')))
    .sort();
}
