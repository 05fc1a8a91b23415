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
  /** If pending changes did not fit into the last page: the place up to which it had them. */
  readonly pendingAfter: string | undefined;
  /** Which pending changes it has had, if it asks for new ones alone, and there are more than a page has. */
  readonly known?: KnownPending | undefined;
}

/**
 * Which pending changes a reader has had, as counts: what is pending leaves only by getting a number, which the reader learns. So a
 * range in which as many are left as it has had, has no other. Only those with an id of before a time are counted, so that what is
 * new usually is not: whichever time it is, a change is either counted or read again.
 */
export interface KnownPending {
  /** Those that this walk has passed, with ids of before `countedTo`, in milliseconds since the epoch. */
  readonly done: readonly KnownRange[];
  readonly countedTo: number;
  /** Those before it that the walk before has passed, with ids of before `knownTo`. */
  readonly left: readonly KnownRange[];
  readonly knownTo: number;
}

/** How many are pending from the end of the range before up to a place; undefined if the reader must see all of them. */
export interface KnownRange {
  readonly through: string;
  readonly count: number | undefined;
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
const rangesSchema = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').filter((range) => range !== '')),
  v.array(
    v.pipe(
      v.string(),
      v.regex(/^[\w#~-]+=(-?\d{1,9})?$/),
      v.transform((range): KnownRange => {
        const [through = '', count] = range.split('=');
        return { through, count: count ? Number(count) : undefined };
      }),
    ),
  ),
);
const knownSchema = v.pipe(
  v.strictTuple([rangesSchema, wholeNumber, rangesSchema, wholeNumber]),
  v.transform(([done, countedTo, left, knownTo]): KnownPending => ({ done, countedTo, left, knownTo })),
);
const placesSchema = [feedPositionSchema, feedPositionSchema, v.nullable(v.string())] as const;
const positionSchema = v.union([v.strictTuple(placesSchema), v.strictTuple([...placesSchema, knownSchema])]);

export function encodeFeedCursor(appId: AppId, { feeds, pendingAfter, known }: FollowerPosition): string {
  const numbers = feeds.map(({ first, number, id, isBehind }) => [
    first,
    number,
    id,
    ...(isBehind === true ? ['behind'] : []),
  ]);
  return encodeCursor(bindingTo(appId), [...numbers, pendingAfter ?? null, ...(known ? [encodeKnown(known)] : [])]);
}

function encodeKnown({ done, countedTo, left, knownTo }: KnownPending) {
  const textOf = (ranges: readonly KnownRange[]) =>
    ranges.map(({ through, count = '' }) => `${through}=${count}`).join(',');
  return [textOf(done), countedTo, textOf(left), knownTo];
}

/** The position of a cursor; 400 for a cursor of another application. */
export function decodeFeedCursor(appId: AppId, cursor: string): FollowerPosition {
  const position = decodeCursor(bindingTo(appId), { cursor, name: 'after', schema: positionSchema });
  const [own, users, pendingAfter, known] = position;
  // A version before named an id, which is no place.
  return { feeds: [own, users], pendingAfter: pendingAfter?.includes('#') === true ? pendingAfter : undefined, known };
}

function bindingTo(appId: AppId): CursorBinding {
  return ['feed', appId];
}
