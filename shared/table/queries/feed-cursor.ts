import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import { changeSettlingSeconds } from '#shared/contract/time-bounds.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';
import { applicationChangesBinding, changeIdSchema, changePlaceSchema } from './read-merged.ts';

/**
 * How far a reader of an application's feed has come. A pass reads from what is settled to the end; for a second after its
 * beginning, further requests go on behind what they have seen, later ones begin the next pass.
 */
export interface FeedPosition {
  /** All changes up to this id were answered. */
  readonly settled: string;
  /** So far the current pass has come. */
  readonly seen: string;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether it has reached the end. */
  readonly ended: boolean;
}

/** Below the ids of all changes since so many seconds ago. */
export function changeIdBefore(at: Date, seconds: number): string {
  return lowestUlid(new Date(at.getTime() - seconds * 1000));
}

/** The id below which every change is visible that will ever be there. */
export function settledChangeId(at: Date): string {
  return changeIdBefore(at, changeSettlingSeconds);
}

export function encodeFeedCursor(appId: AppId, { settled, seen, startedAt, ended }: FeedPosition): string {
  return encodeCursor(bindingTo(appId), [settled, seen, startedAt, ended]);
}

/** The cursor from which an application misses nothing above this id. */
export function feedCursorAt(appId: AppId, settled: string): string {
  return encodeFeedCursor(appId, { settled, seen: settled, startedAt: 0, ended: true });
}

/** Of a pass, or the place of a change from the Management API's history. */
const feedPositionSchema = v.union([
  v.strictTuple([changeIdSchema, changeIdSchema, v.number(), v.boolean()]),
  v.pipe(
    changePlaceSchema,
    v.transform((id) => [id, id, 0, true] as const),
  ),
]);

/** The position of a cursor; 400 for one of another application. */
export function decodeFeedCursor(appId: AppId, cursor: string): FeedPosition {
  const decoded = decodeCursor(bindingTo(appId), { cursor, name: 'after', schema: feedPositionSchema });
  const [settled, seen, startedAt, ended] = decoded;
  return { settled, seen, startedAt, ended };
}

/** As lists of the application's changes are bound, the oldest first. */
function bindingTo(appId: AppId): CursorBinding {
  return applicationChangesBinding(appId, { descending: false });
}
