import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import type { Item } from '../client.ts';
import type { Range } from '../keys.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';
import { positionSchema, startKey } from './read-page.ts';

/** A position in an application's snapshot. */
export interface SnapshotPlace {
  /** The id before which all changes were settled at the first page. */
  readonly settled: string;
  /** The number of entries of all pages so far. */
  readonly count: number;
  /** The index of the current range, and the key after which to continue in it. */
  readonly range: number;
  readonly after: Item | undefined;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const placeSchema = v.strictTuple([v.string(), count, count, v.nullable(positionSchema)]);

export function encodeSnapshotCursor(appId: AppId, { settled, count, range, after }: SnapshotPlace): string {
  return encodeCursor(bindingTo(appId), [settled, count, range, after ? [after.gsi1sk, after.pk, after.sk] : null]);
}

/** The position of a cursor in these ranges; 400 for a cursor of another application. */
export function decodeSnapshotCursor(appId: AppId, cursor: string, ranges: readonly Range[]): SnapshotPlace {
  const decoded = decodeCursor(bindingTo(appId), { cursor, name: 'after', schema: placeSchema });
  const [settled, count, number, position] = decoded;
  const range = ranges[number];
  return { settled, count, range: number, after: range && position ? startKey(range, position) : undefined };
}

function bindingTo(appId: AppId): CursorBinding {
  return ['snapshot', appId];
}
