import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Change } from '#shared/contract/change.ts';
import { changeOf } from './change-fields.ts';
import type { Key } from './keys.ts';

/** What the table's stream says of one item that was written, as Lambda delivers it. */
export interface StreamRecord {
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        readonly Keys?: Readonly<Record<string, unknown>> | undefined;
        readonly NewImage?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

/** The place of a record in its shard, from which a batch can be read again. */
export function sequenceNumberOf({ dynamodb }: StreamRecord): string {
  return dynamodb?.SequenceNumber ?? '';
}

/** The key of the item, as far as the record tells it. */
export function keyOf({ dynamodb }: StreamRecord): Partial<Key> {
  return itemOf(dynamodb?.Keys);
}

/** The Change that was written; throws on a record that holds none. */
export function changeOfRecord({ dynamodb }: StreamRecord): Change {
  const change = changeOf(itemOf(dynamodb?.NewImage));
  const { id, at, action } = change;
  const isSound = isText(id) && isText(action) && /^[a-z.]{1,128}$/.test(action) && !Number.isNaN(Date.parse(at));
  if (!isSound) throw new Error('The record holds no Change');
  return change;
}

function itemOf(image: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return unmarshall((image ?? {}) as Record<string, AttributeValue>);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
