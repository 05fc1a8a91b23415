import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '#shared/table/client.ts';

/** Bytes of an item as DynamoDB counts them (developer guide, "DynamoDB item sizes and formats"), names included. */
export function itemBytes(item: Item): number {
  return entriesBytes(marshall(item));
}

/** Units of reading an item strongly consistent: one for each 4 KB begun, and one for an item that is not there. */
export function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4096));
}

function entriesBytes(entries: Readonly<Record<string, AttributeValue>>): number {
  return Object.entries(entries).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

/** Of the types that the items of this service hold. */
function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  // Two digits take a byte, and one more byte the rest.
  if (value.N !== undefined) return Math.ceil(value.N.replace(/\D/g, '').length / 2) + 1;
  if (value.NULL !== undefined || value.BOOL !== undefined) return 1;
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + entriesBytes(value.M);
  if (value.L !== undefined) return 3 + value.L.length + value.L.reduce((sum, each) => sum + valueBytes(each), 0);
  throw new Error(`The items of this service hold no ${Object.keys(value)}`);
}
