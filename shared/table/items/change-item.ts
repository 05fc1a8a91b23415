import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import {
  type Change,
  type ChangeAction,
  type ChangeIntegrity,
  type ChangeSide,
  userActionsForAll,
} from '#shared/contract/change.ts';
import type { AppId, BulkId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';
import { config } from '#shared/core/config.ts';
import type { Item } from '../client.ts';
import { putEntry } from '../expression.ts';
import { nullableText, parseItem, storedId } from '../item-schema.ts';
import {
  applicationChangeKey,
  changeIndexKey,
  epochSeconds,
  erasureKey,
  type IndexKey,
  type Key,
  userChangeIndexKey,
  userChangeKey,
} from '../keys.ts';

const secondsPerDay = 86_400;

const sideSchema = v.nullable(v.custom<ChangeSide>(isMap));

/** In the order in which a Change is shown. The action may be one that only a newer version knows. */
const changeItemSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  at: v.pipe(
    v.string(),
    v.check((at) => !Number.isNaN(Date.parse(at))),
  ),
  action: v.custom<ChangeAction>((action) => typeof action === 'string' && /^[a-z.]{1,128}$/.test(action)),
  appId: v.exactOptional(storedId<AppId>()),
  userId: v.exactOptional(storedId<UserId>()),
  role: v.exactOptional(storedId<RoleName>()),
  keyId: v.exactOptional(storedId<KeyId>()),
  bulkId: v.exactOptional(storedId<BulkId>()),
  caller: v.custom<Change['caller']>(isMap),
  requestId: v.string(),
  sourceIp: v.string(),
  undoOf: v.exactOptional(v.string()),
  before: sideSchema,
  after: sideSchema,
  reason: nullableText,
  integrity: v.custom<ChangeIntegrity>(isMap),
});

/** The change of an item, without the attributes that only the table needs. */
export function changeOf(item: Item): Change {
  return parseItem(changeItemSchema, item);
}

/** Adds a change to its user's history or, without a user, to its application's; belongs in the transaction that it records. */
export function putChangeEntry(change: Change, { isRecreated = false }: CreationOf = {}) {
  return putEntry({
    ...changeKey(change),
    ...indexKeyOf(change, isRecreated),
    ...change,
    ttl: epochSeconds(change.at) + config().changeRetentionDays * secondsPerDay,
  });
}

interface CreationOf {
  /** For `user.created`: whether a user with this id was erased before. */
  readonly isRecreated?: boolean;
}

function changeKey({ id, action, userId, appId }: Change): Key {
  if (action === 'user.deleted') return erasureKey(userId as UserId, id);
  if (userId !== undefined) return userChangeKey(userId as UserId, id);
  return applicationChangeKey(appId as AppId, id);
}

/** Changes of the user itself that affect accesses are listed for every application. */
function indexKeyOf({ id, action, appId }: Change, isRecreated: boolean): IndexKey | undefined {
  if (appId !== undefined) return changeIndexKey(appId as AppId, id);
  const concernsAll = (userActionsForAll as readonly string[]).includes(action);
  return concernsAll && (action !== 'user.created' || isRecreated) ? userChangeIndexKey(id) : undefined;
}

/** A record of the table's stream, as Lambda delivers it. */
export interface StreamRecord {
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        readonly Keys?: Readonly<Record<string, unknown>> | undefined;
        readonly NewImage?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

/** The position of a record in its shard, from which a batch can be read again. */
export function sequenceNumberOf({ dynamodb }: StreamRecord): string {
  return dynamodb?.SequenceNumber ?? '';
}

/** The key of the item, as far as the record contains it. */
export function keyOfRecord({ dynamodb }: StreamRecord): Partial<Key> {
  return itemOfImage(dynamodb?.Keys);
}

/** The Change that was written; throws if the record does not contain one. */
export function changeOfRecord({ dynamodb }: StreamRecord): Change {
  const { success, output } = v.safeParse(changeItemSchema, itemOfImage(dynamodb?.NewImage));
  if (!success) throw new Error('The record does not contain a Change');
  return output;
}

/** When the Change expires. */
export function ttlOfRecord({ dynamodb }: StreamRecord): unknown {
  return itemOfImage(dynamodb?.NewImage).ttl;
}

function itemOfImage(image: Readonly<Record<string, unknown>> | undefined): Item {
  return unmarshall((image ?? {}) as Record<string, AttributeValue>);
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
