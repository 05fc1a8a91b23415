import type { FeedChange } from '#shared/table/items/feed-item.ts';

/** What was read of one feed. */
interface ReadPart {
  /** In the order of their numbers. */
  readonly numbered: readonly { readonly change: FeedChange }[];
  readonly pending: readonly FeedChange[];
  /** Whether it was read to its end. */
  readonly complete: boolean;
}

type Both<T> = readonly [T, T];

/** How many changes of each feed are taken. */
export interface Taken {
  readonly counts: Both<number>;
  readonly more: boolean;
}

/**
 * Takes at least the next `limit` changes of two feeds, so that of no user an earlier change is left behind in the other feed: what
 * is taken grows by what must come before it. A change waits for one that has no number yet. In one feed a user's changes are in
 * their order anyway.
 */
export function takeInOrder(feeds: Both<ReadPart>, limit: number): Taken {
  const most = mostInOrder(feeds);
  const counts = withEarlier(feeds, most, firstInOrder(feeds, most, limit));
  const [taken, known] = [counts[0] + counts[1], most[0] + most[1]];
  return { counts, more: taken < known || (taken > 0 && !feeds.every(({ complete }) => complete)) };
}

/** As many as can be taken without leaving an earlier change behind. */
function mostInOrder(feeds: Both<ReadPart>): Both<number> {
  const whole = countsBefore(feeds, (at) => beforeEnd(feeds[at], feeds[other(at)]));
  // Only if a feed has a change long before the others of its time: without this, nothing would ever be taken.
  return whole[0] + whole[1] > 0 ? whole : countsBefore(feeds, (at) => feeds[at].numbered.length);
}

function countsBefore(feeds: Both<ReadPart>, startOf: (at: 0 | 1) => number): Both<number> {
  let counts: Both<number> = [startOf(0), startOf(1)];
  for (;;) {
    const [own, users]: Both<number> = [unblocked(feeds, counts, 0), unblocked(feeds, counts, 1)];
    if (own === counts[0] && users === counts[1]) return counts;
    counts = [own, users];
  }
}

/** How many changes of a feed come before what the other one may still have behind what was read. */
function beforeEnd({ numbered }: ReadPart, { complete, numbered: others }: ReadPart): number {
  const last = others.at(-1)?.change.id;
  if (complete || last === undefined) return numbered.length;
  return countBefore(numbered, ({ id }) => id > last);
}

/** How many changes of a feed come before the first of whose user the other feed has an earlier one that is not taken. */
function unblocked(feeds: Both<ReadPart>, counts: Both<number>, at: 0 | 1): number {
  const { numbered, pending } = feeds[other(at)];
  const earliest = new Map<string, string>();
  for (const { id, userId } of [...numbered.slice(counts[other(at)]).map(({ change }) => change), ...pending]) {
    if (userId !== undefined && id < (earliest.get(userId) ?? '~')) earliest.set(userId, id);
  }
  const isBlocked = ({ id, userId }: FeedChange) => userId !== undefined && (earliest.get(userId) ?? '~') < id;
  return countBefore(feeds[at].numbered.slice(0, counts[at]), isBlocked);
}

/** The next ones by id, where the order of each feed allows. */
function firstInOrder(feeds: Both<ReadPart>, most: Both<number>, limit: number): Both<number> {
  const counts: [number, number] = [0, 0];
  const headOf = (at: 0 | 1) => (counts[at] < most[at] ? (feeds[at].numbered[counts[at]]?.change.id ?? '~') : '~');
  while (counts[0] + counts[1] < Math.min(limit, most[0] + most[1])) counts[headOf(0) < headOf(1) ? 0 : 1] += 1;
  return counts;
}

/** With what must come before that, which is among what can be taken. */
function withEarlier(feeds: Both<ReadPart>, most: Both<number>, first: Both<number>): Both<number> {
  let counts = first;
  for (;;) {
    const next: Both<number> = [countUpTo(feeds, counts, most, 0), countUpTo(feeds, counts, most, 1)];
    if (next[0] === counts[0] && next[1] === counts[1]) return counts;
    counts = next;
  }
}

/** How many changes of a feed contain all that come before what is taken of the other. */
function countUpTo(feeds: Both<ReadPart>, counts: Both<number>, most: Both<number>, at: 0 | 1): number {
  const latest = new Map<string, string>();
  for (const { change } of feeds[other(at)].numbered.slice(0, counts[other(at)])) {
    if (change.userId !== undefined && change.id > (latest.get(change.userId) ?? ''))
      latest.set(change.userId, change.id);
  }
  const last = feeds[at].numbered
    .slice(0, most[at])
    .findLastIndex(({ change: { id, userId } }) => userId !== undefined && id < (latest.get(userId) ?? ''));
  return Math.max(counts[at], last + 1);
}

function other(at: 0 | 1): 0 | 1 {
  return at === 0 ? 1 : 0;
}

function countBefore(numbered: ReadPart['numbered'], ends: (change: FeedChange) => boolean): number {
  const end = numbered.findIndex(({ change }) => ends(change));
  return end === -1 ? numbered.length : end;
}
