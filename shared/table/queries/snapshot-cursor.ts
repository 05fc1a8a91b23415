import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import type { Item } from '../client.ts';
import type { Range } from '../key.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';
import { positionSchema, startKey } from './read-page.ts';

/** A position in an application's snapshot. */
export interface SnapshotPlace {
  /** The cursor from which to follow the changes, determined before the first page. */
  readonly changesCursor: string;
  /** The number of entries of all pages so far. */
  readonly count: number;
  /** The index of the current range, and the key after which to continue in it. */
  readonly range: number;
  readonly after: Item | undefined;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const placeSchema = v.strictTuple([v.string(), count, count, v.nullable(positionSchema)]);

export function encodeSnapshotCursor(appId: AppId, { changesCursor, count, range, after }: SnapshotPlace): string {
  return encodeCursor(bindingTo(appId), [changesCursor, count, range, after ? [after.sk, after.pk, after.sk] : null]);
}

/** The position of a cursor in these ranges; 400 for a cursor of another application. */
export function decodeSnapshotCursor(appId: AppId, cursor: string, ranges: readonly Range[]): SnapshotPlace {
  const decoded = decodeCursor(bindingTo(appId), { cursor, name: 'after', schema: placeSchema });
  const [changesCursor, count, number, position] = decoded;
  const range = ranges[number];
  return { changesCursor, count, range: number, after: range && position ? startKey(range, position) : undefined };
}

function bindingTo(appId: AppId): CursorBinding {
  return ['snapshot', appId];
}
