import * as v from 'valibot';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';

/** How far a reader of the keys of all applications has come. */
export interface KeyPlace {
  /** The cursor of the page of applications that is being read; `null` is the first. */
  readonly page: string | null;
  /** The application and the ULID of the last key that was seen; empty before the first. */
  readonly appId: string;
  readonly ulid: string;
}

const placeSchema = v.strictTuple([v.nullable(v.string()), v.string(), v.string()]);

export function encodeKeyCursor(filter: CursorBinding, { page, appId, ulid }: KeyPlace): string {
  return encodeCursor(['keys', ...filter], [page, appId, ulid]);
}

/** The place of a cursor; 400 for one of another filter. */
export function decodeKeyCursor(filter: CursorBinding, cursor: string): KeyPlace {
  const [page, appId, ulid] = decodeCursor(['keys', ...filter], { cursor, schema: placeSchema });
  return { page, appId, ulid };
}
