import * as v from 'valibot';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { UserId, WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { deleteEntry, putEntry } from '#shared/table/expression.ts';
import { absentText, nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { FeedName } from '#shared/table/keys/feed-item-keys.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { epochSeconds, secondsPerDay } from '#shared/table/ttl.ts';
import { webhookLaneKey, webhookLanesRange } from './webhook-item-keys.ts';

/** The feed keeps a change for 30 days at most, so nothing of an older lane could be delivered. */
const retentionSeconds = 31 * secondsPerDay;

const laneEventSchema = v.object({
  id: v.string(),
  action: storedId<ChangeAction>(),
  userId: v.exactOptional(storedId<UserId>()),
  feed: storedId<FeedName>(),
});

/** A change that waits to be delivered: what finds it. */
export type LaneEvent = Readonly<v.InferOutput<typeof laneEventSchema>>;

const laneSchema = v.object({
  /** The user whose events these are; empty for those of no user. */
  subject: v.string(),
  /** In the order of their ids; the first is attempted next. */
  events: v.array(laneEventSchema),
  /** How often the first event was attempted when it was due. */
  failures: v.number(),
  /** When it was first attempted; `null` if it was not yet. */
  since: nullableText,
  /** When it is due, whatever becomes of other events. */
  nextAttemptAt: v.string(),
  /** When it was last attempted. */
  attemptedAt: v.optional(nullableText, null),
  /** Until when the receiver asked to wait (`Retry-After`). */
  notBefore: absentText,
  /** How often it failed although the receiver had accepted something since the attempt before. */
  isolatedFailures: v.optional(v.number(), 0),
  /** How many deliveries the receiver had accepted at the last attempt. */
  accepted: v.optional(v.number(), 0),
  /** The version of the webhook at the last attempt. */
  version: v.optional(v.number(), 0),
});

/** The events of one user that could not be delivered yet, in their order. */
export type Lane = Readonly<v.InferOutput<typeof laneSchema>>;

/** Lanes that a version before their items kept in the state. */
export function parseOlderLanes(lanes: readonly unknown[]): Lane[] {
  return lanes.map((lane) => parseItem(laneSchema, Object(lane)));
}

/** Where the lanes of a webhook are: a webhook that is created again has others. */
export interface LanesOf extends WebhookName {
  readonly deliveryId: string;
}

/** Reads what waits for a webhook. */
export async function readLanes(lanes: LanesOf): Promise<Lane[]> {
  return (await readAllOf(webhookLanesRange(lanes))).map((item: Item) => parseItem(laneSchema, item));
}

/** Keeps a lane. */
export function putLaneEntry(lanes: LanesOf, lane: Lane): TransactEntry {
  const ttl = epochSeconds(now().toISOString()) + retentionSeconds;
  return putEntry({ ...webhookLaneKey(lanes, lane.subject), ...lane, ttl });
}

/** Deletes a lane of which nothing waits any more. */
export function deleteLaneEntry(lanes: LanesOf, subject: string): TransactEntry {
  return deleteEntry(webhookLaneKey(lanes, subject));
}
