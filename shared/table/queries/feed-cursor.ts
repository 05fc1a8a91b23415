import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import { changeSettlingSeconds } from '#shared/contract/time-bounds.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';
import { applicationChangesBinding, changeIdSchema, changePlaceSchema } from './read-merged.ts';

/**
 * A position in an application's feed. A pass reads from the last settled change to the end. Requests within a second of its
 * start continue after the last change returned; later requests start the next pass.
 */
export interface FeedPosition {
  /** All changes up to this id are settled and have been returned. */
  readonly settled: string;
  /** The id up to which the current pass has read. */
  readonly seen: string;
  /** When the pass started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether the pass has reached the end. */
  readonly ended: boolean;
}

/** An id less than that of any change made in the last `seconds`. */
export function changeIdBefore(at: Date, seconds: number): string {
  return lowestUlid(new Date(at.getTime() - seconds * 1000));
}

/** The id before which all changes are visible and no more can be added. */
export function settledChangeId(at: Date): string {
  return changeIdBefore(at, changeSettlingSeconds);
}

export function encodeFeedCursor(appId: AppId, { settled, seen, startedAt, ended }: FeedPosition): string {
  return encodeCursor(bindingTo(appId), [settled, seen, startedAt, ended]);
}

/** The cursor from which an application reads all changes after this id. */
export function feedCursorAt(appId: AppId, settled: string): string {
  return encodeFeedCursor(appId, { settled, seen: settled, startedAt: 0, ended: true });
}

/** The position of a pass, or of a change in the Management API's history. */
const feedPositionSchema = v.union([
  v.strictTuple([changeIdSchema, changeIdSchema, v.number(), v.boolean()]),
  v.pipe(
    changePlaceSchema,
    v.transform((id) => [id, id, 0, true] as const),
  ),
]);

/** The position of a cursor; 400 for a cursor of another application. */
export function decodeFeedCursor(appId: AppId, cursor: string): FeedPosition {
  const decoded = decodeCursor(bindingTo(appId), { cursor, name: 'after', schema: feedPositionSchema });
  const [settled, seen, startedAt, ended] = decoded;
  return { settled, seen, startedAt, ended };
}

/** The same as for lists of the application's changes, oldest first. */
function bindingTo(appId: AppId): CursorBinding {
  return applicationChangesBinding(appId, { descending: false });
}
