import * as v from 'valibot';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { putItem, queryItems, updateItem } from '#shared/table/client.ts';
import { putEntry, updateOf } from '#shared/table/expression.ts';
import { nullableText, parseItem } from '#shared/table/item-schema.ts';
import { epochSeconds, secondsPerDay } from '#shared/table/ttl.ts';
import type { RefusedRequest } from '../contract/connection-activity.ts';
import { hourKey, hoursRange, refusalKey, refusalsRange } from './activity-item-keys.ts';

const hourSchema = v.object({ requests: v.number(), refused: v.number(), lastRequestAt: v.string() });
const refusalSchema = v.object({
  at: v.string(),
  method: v.string(),
  path: v.string(),
  status: v.number(),
  scimType: nullableText,
  detail: v.string(),
});

/** How long counts and refused requests are kept. */
const [countDays, refusalDays] = [2, 7];

export interface RequestCounts {
  readonly requests: number;
  readonly refused: number;
}

/** Adds requests of a directory to those of the hour. */
export async function countDirectoryRequests(connectionId: ConnectionId, at: string, counts: RequestCounts) {
  const set = { lastRequestAt: at, ttl: epochSeconds(at) + countDays * secondsPerDay };
  await updateItem(updateOf({ key: hourKey(connectionId, at), set, add: { ...counts } }));
}

/** Keeps a refused request of a directory for some days. */
export async function putRefusal(connectionId: ConnectionId, refusal: RefusedRequest): Promise<void> {
  const key = refusalKey(connectionId, createUlid(new Date(refusal.at)));
  await putItem(putEntry({ ...key, ...refusal, ttl: epochSeconds(refusal.at) + refusalDays * secondsPerDay }));
}

/** The counts of the hours since this time. */
export async function readHours(connectionId: ConnectionId, since: string) {
  const { items } = await queryItems(hoursRange(connectionId, since), {});
  return items.map((item) => parseItem(hourSchema, item));
}

/** The latest refused requests, newest first. */
export async function readRefusals(connectionId: ConnectionId, limit: number): Promise<RefusedRequest[]> {
  const { items } = await queryItems(refusalsRange(connectionId), { limit });
  return items.map((item) => parseItem(refusalSchema, item));
}
