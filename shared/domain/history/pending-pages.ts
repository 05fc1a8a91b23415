import { timeOfUlid } from '#shared/contract/ulid.ts';
import type { FeedChange } from '#shared/table/items/feed-item.ts';
import { endOfUsers, lastPlace, pendingPlace, usersOfPlace } from '#shared/table/keys/feed-item-keys.ts';
import type { KnownPending, KnownRange } from '#shared/table/queries/feed-cursor.ts';
import type { FoundChange, ReadFeed } from './read-feed.ts';

/** Where a walk through all that is pending stands. */
export interface PendingWalk {
  /** The place that it has reached; undefined at the beginning. */
  readonly after: string | undefined;
  /** What need not be shown again. Without it, each walk shows everything. */
  readonly known: KnownPending;
}

/** Nothing is known, so everything is shown. */
export const nothingKnown: KnownPending = { done: [], countedTo: 0, left: [], knownTo: 0 };

/** A range of the cursor has about as many at first. */
const rangeSize = 700;
/** So many are read at once, if the reader knows most of them. */
const knownPerRead = 2200;
/** Of the ranges of a walk: a cursor has those of two at most, and 4,096 characters in base64. */
const mostCharacters = 1400;
/** Most transactions take effect in this time. A change that is later has its whole range shown once more. */
const usualMilliseconds = 2000;

/** Begins to count anew, unless the walk is under way. */
export function countFrom(known: KnownPending, now: number): KnownPending {
  return known.done.length === 0 ? { ...known, countedTo: now - usualMilliseconds } : known;
}

/** The place up to which a page can find what is new by reading all that is pending; undefined if too little is known there. */
export function knownThrough({ left }: KnownPending): string | undefined {
  let sum = 0;
  let through: string | undefined;
  for (const range of left) {
    if (range.count === undefined || (through !== undefined && sum + range.count > knownPerRead)) break;
    sum += range.count;
    through = range.through;
  }
  return through;
}

/** Without those that have got numbers: they are no longer pending, or are left out of what is. */
export function withoutNumbered(known: KnownPending, numbered: readonly FeedChange[]): KnownPending {
  const placed = numbered.map(placeOf);
  const rest = (ranges: readonly KnownRange[], start: string, before: number) =>
    ranges.map(({ through, count }, at) => {
      const from = ranges[at - 1]?.through ?? start;
      const gone = placed.filter(({ place, time }) => place > from && place <= through && time < before).length;
      return { through, count: count === undefined ? undefined : count - gone };
    });
  return {
    ...known,
    done: rest(known.done, '', known.countedTo),
    left: rest(known.left, known.done.at(-1)?.through ?? '', known.knownTo),
  };
}

interface PendingToTake {
  readonly walk: PendingWalk;
  readonly room: number;
  readonly isWanted: (change: FeedChange) => boolean;
}

interface TakenPending {
  /** By id. */
  readonly shown: readonly FoundChange[];
  /** Those that are not shown, because the reader has had them. */
  readonly omitted: readonly FoundChange[];
  /** Where the walk stands after this page; at its beginning if that was the last one. */
  readonly walk: PendingWalk;
  readonly isLast: boolean;
}

interface PlacedChange {
  readonly change: FoundChange;
  readonly place: string;
  readonly time: number;
}

/**
 * The next pending changes of both feeds. Pages go by place, where those of one user are next to each other, and within a page by id.
 * A page ends with all changes of a user, if it has room for more than one user: of what is committed between two pages, none comes
 * without what came before.
 */
export function takePending(feeds: readonly ReadFeed[], { walk, room, isWanted }: PendingToTake): TakenPending {
  const { after = '', known } = walk;
  const to = feeds.map(({ pendingTo = lastPlace }) => pendingTo).sort()[0] ?? lastPlace;
  const found = feeds
    .flatMap(({ pending }) => pending.map(placeOf))
    .filter(({ place }) => place > after && place <= to)
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const parts = partsOf(found, { after, to, known });
  const due = parts.flatMap(({ changes, isKnown }) =>
    isKnown ? changes.filter(({ time }) => time >= known.knownTo) : changes,
  );
  const wanted = due.filter(({ change }) => isWanted(change));
  const reached = endOfPage({ found, wanted, room, after, to });
  const upToEnd = ({ place }: PlacedChange) => place <= reached;
  const shown = wanted.filter(upToEnd).map(({ change }) => change);
  const isDue = new Set(due);
  const isLast = reached === lastPlace;
  return {
    shown: shown.sort((one, other) => (one.id < other.id ? -1 : 1)),
    omitted: found.filter((placed) => upToEnd(placed) && !isDue.has(placed)).map(({ change }) => change),
    walk: isLast ? nextWalk(passed(walk, parts, reached)) : { after: reached, known: passed(walk, parts, reached) },
    isLast,
  };
}

function placeOf<Found extends FeedChange>(change: Found) {
  return { change, place: pendingPlace(change), time: timeOfUlid(change.id) };
}

/** What was read of one known range, or of what is not known. */
interface Part {
  readonly through: string;
  readonly changes: readonly PlacedChange[];
  /** Whether all with an id of before `knownTo` are known, and no others. */
  readonly isKnown: boolean;
}

interface PartsToRead {
  readonly after: string;
  readonly to: string;
  readonly known: KnownPending;
}

function partsOf(found: readonly PlacedChange[], { after, to, known }: PartsToRead): Part[] {
  const whole = known.left.filter(({ through }) => through <= to);
  const ranges = [...whole, ...(whole.at(-1)?.through === to ? [] : [{ through: to, count: undefined }])];
  return ranges.map(({ through, count }, at) => {
    const from = ranges[at - 1]?.through ?? after;
    const changes = found.filter(({ place }) => place > from && place <= through);
    return { through, changes, isKnown: count === changes.filter(({ time }) => time < known.knownTo).length };
  });
}

interface PageToEnd {
  readonly found: readonly PlacedChange[];
  readonly wanted: readonly PlacedChange[];
  readonly room: number;
  readonly after: string;
  readonly to: string;
}

/** The place up to which a page has everything. */
function endOfPage({ found, wanted, room, after, to }: PageToEnd): string {
  const next = wanted[room];
  if (next === undefined) return to.endsWith(lastPlace) ? to : (endOfOthers(found, to) ?? to);
  const fits = wanted.slice(0, room);
  return endOfOthers(fits, next.place) ?? fits.at(-1)?.place ?? after;
}

/** The end of the last users who have nothing at a place. */
function endOfOthers(changes: readonly PlacedChange[], place: string): string | undefined {
  const last = changes.findLast((change) => usersOfPlace(change.place) !== usersOfPlace(place));
  return last && endOfUsers(last.place);
}

/** What is known after a page that has shown everything up to a place. */
function passed({ after = '', known }: PendingWalk, parts: readonly Part[], reached: string): KnownPending {
  if (reached === after) return known;
  const seen = parts.map((part) => ({ ...part, changes: part.changes.filter(({ place }) => place <= reached) }));
  const countBefore = (changes: readonly PlacedChange[], before: number) =>
    changes.filter(({ time }) => time < before).length;
  let { done } = known;
  for (const [at, { through, changes }] of seen.entries()) {
    if (at > 0 && (seen[at - 1]?.through ?? '') >= reached) break;
    const count = countBefore(changes, known.countedTo);
    done = withRange(done, { through: through < reached ? through : reached, count });
  }
  const left = known.left.flatMap((range, at): KnownRange[] => {
    if (range.through <= reached) return [];
    if ((known.left[at - 1]?.through ?? after) >= reached) return [range];
    // The page has ended within it.
    const part = seen.find(({ through }) => through === range.through);
    const rest = (range.count ?? 0) - countBefore(part?.changes ?? [], known.knownTo);
    return [{ through: range.through, count: part?.isKnown === true ? rest : undefined }];
  });
  return { ...known, done, left };
}

function withRange(ranges: readonly KnownRange[], { through, count = 0 }: KnownRange): readonly KnownRange[] {
  const last = ranges.at(-1);
  const sum = (last?.count ?? 0) + count;
  const characters = [...ranges, { through }].reduce(
    (total, range) => total + range.through.length + '=9999,'.length,
    0,
  );
  const isNext = last === undefined || (sum > rangeSize && characters <= mostCharacters);
  if (isNext) return [...ranges, { through, count }];
  return [...ranges.slice(0, -1), { through, count: sum }];
}

/** The next walk knows what this one has passed. */
function nextWalk({ done, countedTo }: KnownPending): PendingWalk {
  return { after: undefined, known: { ...nothingKnown, left: done, knownTo: countedTo } };
}
