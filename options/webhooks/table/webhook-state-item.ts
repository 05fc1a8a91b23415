import * as v from 'valibot';
import type { AppId, WebhookId, WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { createUlid } from '#shared/core/ids.ts';
import { retryOnConflict } from '#shared/domain/request/optimistic-locking.ts';
import {
  type Item,
  maxTransactEntries,
  readItems,
  type TransactEntry,
  transact,
  updateItemIf,
} from '#shared/table/client.ts';
import { deleteEntry, putEntry, updateEntry, updateOf } from '#shared/table/expression.ts';
import { absentText, nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import type { WebhookOffReason } from '../contract/webhook.ts';
import { webhookStateKey, webhookStatesRange } from './webhook-item-keys.ts';

const stateSchema = v.object({
  appId: storedId<AppId>(),
  webhookId: storedId<WebhookId>(),
  /** A copy, by which those are found that may have something to deliver. */
  enabled: v.boolean(),
  /** The position in the feeds up to which everything was delivered or is in a lane. */
  cursor: v.string(),
  /** Part of the keys of the lanes. */
  deliveryId: v.optional(v.string(), ''),
  /** How many lanes there are. */
  waiting: v.optional(v.number(), 0),
  /** Lanes that a version before their items kept here. That version reads the list, so it stays, empty. */
  lanes: v.optional(v.array(v.unknown()), []),
  /** How many deliveries the receiver has accepted. */
  accepted: v.optional(v.number(), 0),
  /** Since when the receiver has accepted nothing, and the version of the webhook then; `null` if it accepted the last delivery. */
  down: v.optional(v.nullable(v.object({ since: v.string(), version: v.number() })), null),
  lastError: nullableText,
  lastDeliveredAt: nullableText,
  /** When the oldest event that has failed was first attempted. */
  failingSince: v.optional(nullableText, null),
  /** The id of the oldest change that waits. */
  oldestWaiting: v.optional(nullableText, null),
  /** When a lane is due; the attribute does not exist if there is none. */
  nextAttemptAt: absentText,
  /** Why the webhook is to be turned off, as it was last changed then: not if somebody has changed it since. */
  turnOff: v.exactOptional(v.object({ reason: storedId<WebhookOffReason>(), seenSince: v.string() })),
  /** Counts what should be noticed by a delivery in progress. */
  wakes: v.number(),
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
  const none = { lanes: [], waiting: 0, accepted: 0, down: null, lastError: null, lastDeliveredAt: null, wakes: 0 };
  const deliveryId = createUlid(now());
  return putEntry({ ...webhookStateKey(name), appId, webhookId, deliveryId, enabled, cursor, ...none });
}

/** Turns deliveries on or off, and makes a delivery in progress notice that the webhook has changed. */
export function enableWebhookEntry(name: WebhookName, enabled: boolean) {
  return updateEntry({
    key: webhookStateKey(name),
    set: { enabled },
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

/** What a delivery saves of its state. */
export type Progress = Pick<
  WebhookDelivery,
  | 'cursor'
  | 'waiting'
  | 'accepted'
  | 'down'
  | 'lastError'
  | 'lastDeliveredAt'
  | 'failingSince'
  | 'oldestWaiting'
  | 'nextAttemptAt'
>;

/** As many lanes are saved in one transaction, beside the state. */
const maxLanesPerTransaction = maxTransactEntries - 1;

/**
 * Saves what was delivered, and extends the lease; false if the lease was lost. More lanes than fit into one transaction are
 * written before the state: a delivery that is cut short between repeats what it had delivered.
 */
export async function saveWebhookProgress(
  name: WebhookName,
  { nextAttemptAt, ...progress }: Progress,
  lanes: readonly TransactEntry[],
  lease: WebhookLease,
): Promise<boolean> {
  const holding = { key: webhookStateKey(name), equals: { leaseToken: lease.token } };
  const leaseUntil = lease.until.getTime();
  const firsts = Math.max(0, Math.ceil(lanes.length / maxLanesPerTransaction) - 1) * maxLanesPerTransaction;
  for (let at = 0; at < firsts; at += maxLanesPerTransaction) {
    const some = lanes.slice(at, at + maxLanesPerTransaction);
    // Whoever continues must read them.
    const set = { leaseUntil, ...(progress.waiting > 0 && { waiting: progress.waiting }) };
    if (!(await commit([updateEntry({ ...holding, set }), ...some]))) return false;
  }
  const update = {
    ...holding,
    set: { ...progress, lanes: [], leaseUntil, ...(nextAttemptAt !== undefined && { nextAttemptAt }) },
    remove: ['retryNow', ...(nextAttemptAt === undefined ? ['nextAttemptAt'] : [])],
  };
  const lasts = lanes.slice(firsts);
  return lasts.length === 0 ? updateItemIf(updateOf(update)) : commit([updateEntry(update), ...lasts]);
}

/** Writes all entries, the first of which holds the lease; false if the lease was lost. Waking the webhook is a conflict. */
function commit(entries: readonly TransactEntry[]): Promise<boolean> {
  return retryOnConflict(async () => {
    const { kind } = await transact(entries);
    return kind === 'conflict' ? kind : kind === 'committed';
  });
}

/** Notes that a webhook is to be turned off, unless the lease was lost. */
export async function noteTurnOff(
  name: WebhookName,
  turnOff: NonNullable<WebhookDelivery['turnOff']>,
  { token }: Pick<WebhookLease, 'token'>,
): Promise<void> {
  await updateItemIf(updateOf({ key: webhookStateKey(name), set: { turnOff }, equals: { leaseToken: token } }));
}

/** Removes the note, once it was followed, or does not apply any more. */
export async function removeTurnOff(name: WebhookName): Promise<void> {
  const { webhookId } = name;
  await updateItemIf(updateOf({ key: webhookStateKey(name), set: {}, remove: ['turnOff'], equals: { webhookId } }));
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
