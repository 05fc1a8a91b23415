import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { isCurrent, type LogBlock, lastNumber, readBlockBefore, readLogEnd } from '../items/feed-item.ts';
import type { FeedName } from '../keys/feed-item-keys.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';

/**
 * A position in one feed: everything up to the number has been read. `first` is the first number of its block, or the next one
 * if no block has the number, as at the beginning.
 */
export interface FeedPosition {
  readonly first: number;
  readonly number: number;
  /** The id of the change with the number, by which another history of the same feed is recognized; `null` without a change. */
  readonly id: string | null;
  /** If a whole block or more was left for later: then the next blocks are read, and not what is new. Default: false. */
  readonly isBehind?: boolean;
}

/** A position in what an application follows. */
export interface FollowerPosition {
  /** In its own feed, and in that of users. */
  readonly feeds: readonly [FeedPosition, FeedPosition];
  /** If pending changes did not fit into the last page: the place of the last one that did. */
  readonly pendingAfter: string | undefined;
}

/** The position after everything that has a number now; strongly consistent. */
export async function currentPosition(feed: FeedName): Promise<FeedPosition> {
  const { block, ...end } = await readLogEnd(feed);
  return block !== undefined && isCurrent(block, end) ? afterBlock(block) : afterNumber(end.upTo);
}

/** The position after the last block that has only changes of before a time; strongly consistent. */
export async function positionBefore(feed: FeedName, at: Date): Promise<FeedPosition> {
  const found = await readBlockBefore(feed, lowestUlid(at));
  if ('block' in found) return afterBlock(found.block);
  return afterNumber(found.number);
}

export function afterBlock(block: LogBlock): FeedPosition {
  return { first: block.first, number: lastNumber(block), id: block.changes.at(-1)?.id ?? null };
}

export function afterNumber(number: number): FeedPosition {
  return { first: number + 1, number, id: null };
}

const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));
const placeSchemas = [wholeNumber, wholeNumber, v.nullable(v.string())] as const;
const feedPositionSchema = v.pipe(
  v.union([v.strictTuple(placeSchemas), v.strictTuple([...placeSchemas, v.literal('behind')])]),
  v.check(([first, number, id]) => (id === null ? first === number + 1 : first <= number)),
  v.transform(([first, number, id, behind]): FeedPosition => ({ first, number, id, isBehind: behind !== undefined })),
);
const positionSchema = v.strictTuple([feedPositionSchema, feedPositionSchema, v.nullable(v.string())]);

export function encodeFeedCursor(appId: AppId, { feeds, pendingAfter }: FollowerPosition): string {
  const numbers = feeds.map(({ first, number, id, isBehind }) => [
    first,
    number,
    id,
    ...(isBehind === true ? ['behind'] : []),
  ]);
  return encodeCursor(bindingTo(appId), [...numbers, pendingAfter ?? null]);
}

/** The position of a cursor; 400 for a cursor of another application. */
export function decodeFeedCursor(appId: AppId, cursor: string): FollowerPosition {
  const [own, users, pendingAfter] = decodeCursor(bindingTo(appId), { cursor, name: 'after', schema: positionSchema });
  // A version before named an id, which is no place.
  return { feeds: [own, users], pendingAfter: pendingAfter?.includes('#') === true ? pendingAfter : undefined };
}

function bindingTo(appId: AppId): CursorBinding {
  return ['feed', appId];
}
