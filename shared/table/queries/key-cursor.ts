import * as v from 'valibot';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';

/** A position in the keys of all applications. */
export interface KeyPlace {
  /** The cursor of the current page of applications; `null` for the first page. */
  readonly page: string | null;
  /** The application and the ULID of the last key; empty before the first. */
  readonly appId: string;
  readonly ulid: string;
}

const placeSchema = v.strictTuple([v.nullable(v.string()), v.string(), v.string()]);

export function encodeKeyCursor(filter: CursorBinding, { page, appId, ulid }: KeyPlace): string {
  return encodeCursor(['keys', ...filter], [page, appId, ulid]);
}

/** The position of a cursor; 400 for a cursor of another filter. */
export function decodeKeyCursor(filter: CursorBinding, cursor: string): KeyPlace {
  const [page, appId, ulid] = decodeCursor(['keys', ...filter], { cursor, schema: placeSchema });
  return { page, appId, ulid };
}
