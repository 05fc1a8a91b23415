import type { Change } from '#shared/contract/change.ts';
import type { Item } from './client.ts';

/** The change of an item, without what only the table needs, and always in this order. */
export function changeOf(item: Item): Change {
  const change = item as unknown as Change;
  return Object.fromEntries(fields.filter((field) => field in change).map((field) => [field, change[field]])) as never;
}

const fields = [
  'id',
  'at',
  'action',
  'appId',
  'userId',
  'role',
  'keyId',
  'caller',
  'requestId',
  'sourceIp',
  'before',
  'after',
  'reason',
] as const satisfies readonly (keyof Change)[];
