import * as v from 'valibot';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { AppId, UserId, WebhookId, WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { type Item, readItems, updateItemIf } from '#shared/table/client.ts';
import { deleteEntry, putEntry, updateEntry, updateOf } from '#shared/table/expression.ts';
import { absentText, nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { FeedName } from '#shared/table/keys/feed-item-keys.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { webhookStateKey, webhookStatesRange } from './webhook-item-keys.ts';

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
  /** How often the first event was attempted. */
  failures: v.number(),
  /** When it was first attempted; `null` if it was not yet. */
  since: nullableText,
  nextAttemptAt: v.string(),
});

/** The events of one user that could not be delivered yet, in their order. */
export type Lane = Readonly<v.InferOutput<typeof laneSchema>>;

const stateSchema = v.object({
  appId: storedId<AppId>(),
  webhookId: storedId<WebhookId>(),
  /** A copy, by which those are found that may have something to deliver. */
  enabled: v.boolean(),
  /** The position in the feeds up to which everything was delivered or is in a lane. */
  cursor: v.string(),
  lanes: v.array(laneSchema),
  lastError: nullableText,
  lastDeliveredAt: nullableText,
  /** When a lane is due; the attribute does not exist if there is none. */
  nextAttemptAt: absentText,
  /** Counts what should be noticed by a delivery in progress. */
  wakes: v.number(),
  /** Whether lanes are due whatever their time. */
  retryNow: v.optional(v.boolean(), false),
  leaseToken: absentText,
});

/** How far the deliveries of a webhook are. Nothing else depends on it, so no Change records it. */
export type WebhookDelivery = Readonly<v.InferOutput<typeof stateSchema>>;

function stateOf(item: Item): WebhookDelivery {
  return parseItem(stateSchema, item);
}

/** Reads how far webhooks are, in their order, strongly consistent. */
export async function readWebhookStates(names: readonly WebhookName[]): Promise<(WebhookDelivery | undefined)[]> {
  const items = await readItems(names.map(webhookStateKey));
  return items.map((item) => item && stateOf(item));
}

/** How far all webhooks of an application are, or of all applications. */
export async function readStatesOfApplication(appId?: AppId): Promise<WebhookDelivery[]> {
  return (await readAllOf(webhookStatesRange(appId))).map(stateOf);
}

/** All webhooks of an application, or of all applications, that are on. */
export async function readEnabledWebhooks(appId?: AppId): Promise<WebhookDelivery[]> {
  return (await readStatesOfApplication(appId)).filter(({ enabled }) => enabled);
}

/** Begins the deliveries of a new webhook at a position of the feeds. */
export function putWebhookStateEntry(
  name: WebhookName,
  { cursor, enabled }: Pick<WebhookDelivery, 'cursor' | 'enabled'>,
) {
  const { appId, webhookId } = name;
  const none = { lanes: [], lastError: null, lastDeliveredAt: null, wakes: 0 };
  return putEntry({ ...webhookStateKey(name), appId, webhookId, enabled, cursor, ...none });
}

/** Turns deliveries on or off; turned on, whatever waits is due. */
export function enableWebhookEntry(name: WebhookName, enabled: boolean) {
  return updateEntry({
    key: webhookStateKey(name),
    set: { enabled, ...(enabled && { retryNow: true }) },
    add: { wakes: 1 },
    equals: { webhookId: name.webhookId },
  });
}

export function deleteWebhookStateEntry(name: WebhookName) {
  return deleteEntry(webhookStateKey(name));
}

/** The right to deliver, which one function has at a time. */
export interface WebhookLease {
  readonly token: string;
  readonly until: Date;
}

/** Takes the lease and returns the state; undefined if another function has it, or there is no such webhook. */
export async function takeWebhookLease(name: WebhookName, lease: WebhookLease): Promise<WebhookDelivery | undefined> {
  const taken = await updateItemIf(
    updateOf({
      key: webhookStateKey(name),
      set: { leaseToken: lease.token, leaseUntil: lease.until.getTime() },
      equals: { webhookId: name.webhookId },
      below: { leaseUntil: now().getTime() },
    }),
  );
  if (taken) return (await readWebhookStates([name]))[0];
  await noteWebhookWake(name);
  return undefined;
}

/** Makes the function that has the lease look again before it gives the lease up. */
export async function noteWebhookWake(name: WebhookName): Promise<void> {
  await updateItemIf(
    updateOf({ key: webhookStateKey(name), set: {}, add: { wakes: 1 }, equals: { webhookId: name.webhookId } }),
  );
}

type Progress = Pick<WebhookDelivery, 'cursor' | 'lanes' | 'lastError' | 'lastDeliveredAt'>;

/** Saves what was delivered, and extends the lease; false if the lease was lost. */
export function saveWebhookProgress(name: WebhookName, progress: Progress, lease: WebhookLease): Promise<boolean> {
  const [nextAttemptAt] = progress.lanes.map((lane) => lane.nextAttemptAt).sort();
  return updateItemIf(
    updateOf({
      key: webhookStateKey(name),
      set: {
        ...progress,
        leaseUntil: lease.until.getTime(),
        ...(nextAttemptAt !== undefined && { nextAttemptAt }),
      },
      remove: ['retryNow', ...(nextAttemptAt === undefined ? ['nextAttemptAt'] : [])],
      equals: { leaseToken: lease.token },
    }),
  );
}

/** Gives the lease up, unless it was woken since the state was read; false if so, or if the lease was lost. */
export function releaseWebhookLease(name: WebhookName, wakes: number, { token }: WebhookLease): Promise<boolean> {
  return updateItemIf(
    updateOf({
      key: webhookStateKey(name),
      set: {},
      remove: ['leaseToken', 'leaseUntil'],
      equals: { leaseToken: token, wakes },
    }),
  );
}
