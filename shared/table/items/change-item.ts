import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { Change, ChangeAction, ChangeIntegrity, RecordedState } from '#shared/contract/change.ts';
import { userActionsForAll } from '#shared/contract/change-actions.ts';
import type { AppId, BulkId, ConnectionId, KeyId, RoleName, UserId, WebhookId } from '#shared/contract/fields.ts';
import { config } from '#shared/core/config.ts';
import type { Item, TransactEntry } from '../client.ts';
import { putEntry } from '../expression.ts';
import { nullableText, parseItem, storedId } from '../item-schema.ts';
import type { IndexKey, Key } from '../key.ts';
import {
  applicationChangeKey,
  changeIndexKey,
  connectionChangeKey,
  erasureKey,
  historyIndexKey,
  userChangeIndexKey,
  userChangeKey,
} from '../keys/change-item-keys.ts';
import { type FeedName, pendingKey, unfollowedFeed, usersFeed } from '../keys/feed-item-keys.ts';
import { epochSeconds, secondsPerDay } from '../ttl.ts';
import { digestsOfCaller } from './caller-names.ts';
import { countsOf } from './change-counts.ts';
import { reportUnreadable } from './unreadable-item.ts';

const sideSchema = v.nullable(
  v.custom<RecordedState>((recorded) => isMap(recorded) && Object.values(Object(recorded)).every(isScalar)),
);

/** In the order in which a Change is shown. The action may be one that only a newer version knows. */
const changeItemSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  at: v.pipe(
    v.string(),
    v.check((at) => !Number.isNaN(Date.parse(at))),
  ),
  action: v.custom<ChangeAction>((action) => typeof action === 'string' && /^[a-z.]{1,128}$/.test(action)),
  appId: v.exactOptional(storedId<AppId>()),
  connectionId: v.exactOptional(storedId<ConnectionId>()),
  userId: v.exactOptional(storedId<UserId>()),
  role: v.exactOptional(storedId<RoleName>()),
  keyId: v.exactOptional(storedId<KeyId>()),
  webhookId: v.exactOptional(storedId<WebhookId>()),
  bulkId: v.exactOptional(storedId<BulkId>()),
  caller: v.custom<Change['caller']>(isMap),
  requestId: v.string(),
  sourceIp: v.string(),
  undoOf: v.exactOptional(v.string()),
  before: sideSchema,
  after: sideSchema,
  reason: nullableText,
  ticket: v.exactOptional(v.string()),
  integrity: v.custom<ChangeIntegrity>((value) => isMap(value) && Object.values(Object(value)).every(isScalar)),
});

/** The change of an item, without the attributes that only the table needs. */
export function changeOf(item: Item): Change {
  return parseItem(changeItemSchema, item);
}

/** The changes of items, without unreadable ones: the service did not write those. */
export function changesOf(items: readonly (Item & Partial<Key>)[]): Change[] {
  return items.flatMap((item) => readableChangeOf(item) ?? []);
}

/** The change of an item; undefined if it cannot be read, which is logged and counted. */
export function readableChangeOf(item: Item): Change | undefined {
  const { success, output } = v.safeParse(changeItemSchema, item);
  return success ? output : void reportUnreadable(item);
}

/** Whether an item is at the key of its change. A change that was copied to another one was not written there by the service. */
export function isInPlace(change: Change, { pk, sk }: Key): boolean {
  const key = changeKey(change);
  return key.pk === pk && key.sk === sk;
}

/**
 * Adds a change to its user's history or, without a user, to that of its application or connection, to the global history, and to
 * the feed that tells applications of it; belongs in the transaction that it records.
 */
export function putChangeEntries(change: Change, { isRecreated = false }: CreationOf = {}): TransactEntry[] {
  const feed = feedOf(change, isRecreated);
  const listed = feed !== unfollowedFeed && listKeyOf(feed, change.id);
  const item = {
    ...changeKey(change),
    ...listed,
    ...historyIndexKey(change.id),
    ...change,
    by: digestsOfCaller(change.caller),
    ttl: epochSeconds(change.at) + config().changeRetentionDays * secondsPerDay,
  };
  return [putEntry(item), putPendingEntry(feed, change)];
}

/**
 * Where a change belongs in the indexes, and what finds it there. A user's creation is in a feed if the user was erased before, which
 * only its item says.
 */
export function placeInIndexes(change: Change, item: Item): Item {
  const isRecreated = item.gsi1pk === listKeyOf(usersFeed, change.id).gsi1pk;
  const feed = feedOf(change, isRecreated);
  return {
    ...(feed !== unfollowedFeed && listKeyOf(feed, change.id)),
    ...historyIndexKey(change.id),
    by: digestsOfCaller(change.caller),
  };
}

type PendingChange = Pick<Change, 'id' | 'at' | 'action' | 'userId' | 'before' | 'after'>;

/** Adds a change to a feed, without a number, and with what it counts. */
export function putPendingEntry(feed: FeedName, change: PendingChange) {
  const { id, action, userId } = change;
  const counts = countsOf(change);
  const key = pendingKey(feed, { id, ...(userId !== undefined && { userId }) });
  return putEntry({ ...key, id, action, userId, ...(counts && { counts }) });
}

interface CreationOf {
  /** For `user.created`: whether a user with this id was erased before. */
  readonly isRecreated?: boolean;
}

/** The primary key of a change, by the members that a feed keeps of it. */
export function changeKey({ id, action, userId, appId, connectionId }: ChangePlace): Key {
  if (action === 'user.deleted') return erasureKey(userId as UserId, id);
  if (userId !== undefined) return userChangeKey(userId as UserId, id);
  if (connectionId !== undefined) return connectionChangeKey(connectionId as ConnectionId, id);
  return applicationChangeKey(appId as AppId, id);
}

type ChangePlace = Pick<Change, 'id' | 'action' | 'userId' | 'appId' | 'connectionId'>;

/** The feed of a change. Those of users that affect accesses concern all applications, the others none. */
export function feedOf({ action, appId }: Pick<Change, 'action' | 'appId'>, isRecreated: boolean): FeedName {
  if (appId !== undefined) return appId as AppId;
  const concernsAll = (userActionsForAll as readonly string[]).includes(action);
  return concernsAll && (action !== 'user.created' || isRecreated) ? usersFeed : unfollowedFeed;
}

/** Whether a feed can have a change; whether a created user was erased before is not known here. */
export function isInFeed(change: Pick<Change, 'action' | 'appId'>, feed: FeedName): boolean {
  return feedOf(change, true) === feed || feedOf(change, false) === feed;
}

function listKeyOf(feed: AppId | typeof usersFeed, id: string): IndexKey {
  return feed === usersFeed ? userChangeIndexKey(id) : changeIndexKey(feed, id);
}

/** A record of the table's stream, as Lambda delivers it. */
export interface StreamRecord {
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        /** In seconds since the epoch. */
        readonly ApproximateCreationDateTime?: number | undefined;
        readonly Keys?: Readonly<Record<string, unknown>> | undefined;
        readonly NewImage?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

/** The position of a record in its shard, from which a batch can be read again. */
export function sequenceNumberOf({ dynamodb }: StreamRecord): string {
  return dynamodb?.SequenceNumber ?? '';
}

/** The parts of the item's key that the record contains. */
export function keyOfRecord({ dynamodb }: StreamRecord): Partial<Key> {
  return itemOfImage(dynamodb?.Keys);
}

const placeSchema = v.object({
  action: v.optional(v.string(), ''),
  id: v.optional(v.string(), ''),
  at: v.optional(v.string(), ''),
  userId: v.optional(storedId<UserId>()),
  appId: v.optional(storedId<AppId>()),
});

/** What a record says of its Change and whom it concerns; an empty action if it does not contain a Change. */
export function placeOfRecord({ dynamodb }: StreamRecord): v.InferOutput<typeof placeSchema> {
  const { success, output } = v.safeParse(placeSchema, itemOfImage(dynamodb?.NewImage));
  return success ? output : { action: '', id: '', at: '' };
}

/** The Change that was written; throws if the record does not contain one. */
export function changeOfRecord({ dynamodb }: StreamRecord): Change {
  const { success, output } = v.safeParse(changeItemSchema, itemOfImage(dynamodb?.NewImage));
  if (!success) throw new Error('The record does not contain a Change');
  return output;
}

function itemOfImage(image: Readonly<Record<string, unknown>> | undefined): Item {
  return unmarshall((image ?? {}) as Record<string, AttributeValue>);
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
