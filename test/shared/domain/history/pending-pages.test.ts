import { expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { createUlid, lowestUlid } from '#shared/core/ids.ts';
import {
  countFrom,
  knownThrough,
  nothingKnown,
  type PendingWalk,
  takePending,
  withoutNumbered,
} from '#shared/domain/history/pending-pages.ts';
import type { FoundChange, ReadFeed } from '#shared/domain/history/read-feed.ts';
import { lastPlace, pendingPlace } from '#shared/table/keys/feed-item-keys.ts';
import { afterNumber, encodeFeedCursor, type KnownPending } from '#shared/table/queries/feed-cursor.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const limit = 100;
const feeds = ['billing', 'USERS'] as const;
interface Placed {
  readonly change: FoundChange;
  readonly place: string;
}

/** What is pending, changed at random, and a reader that walks through it as `listChanges` does. */
class World {
  time = Date.parse('2026-11-20T19:00:00Z');
  /** By place. */
  pending: Placed[] = [];
  walk: PendingWalk = { after: undefined, known: nothingKnown };
  /** The ids that the reader has had, with or without a number. */
  readonly had = new Set<string>();
  /** Those that it has not been told since the last page. */
  #numbered: FoundChange[] = [];
  shown = 0;
  omitted = 0;
  pages = 0;
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** Commits changes now, of which some have the id of a time before. */
  add(count: number, late = 0): void {
    for (let n = 0; n < count; n++) {
      this.time += 1;
      const at = new Date(this.random() < late ? this.time - this.random() * 600_000 : this.time);
      const feed = feeds[Math.floor(this.random() * 2)] ?? 'USERS';
      const userId = `user-${Math.floor(this.random() ** 2 * 1500)}`;
      const change = { id: createUlid(at), action: 'access.changed', userId, feed } as unknown as FoundChange;
      this.pending.push({ change, place: pendingPlace(change) });
    }
    this.pending.sort((one, other) => (one.place < other.place ? -1 : 1));
  }

  /** Commits changes of one user. */
  addOf(userId: string, count: number): void {
    for (let n = 0; n < count; n++) {
      this.time += 1;
      const id = lowestUlid(new Date(this.time));
      const change = { id, action: 'access.changed', userId, feed: 'billing' } as unknown as FoundChange;
      this.pending.push({ change, place: pendingPlace(change) });
    }
  }

  /** Numbers the first ones by place. */
  number(count: number): void {
    this.#numbered.push(...this.pending.splice(0, count).map(({ change }) => change));
  }

  /** Reads a page; returns whether it was the last one of a walk. */
  page(): boolean {
    const passed = this.#numbered.splice(0);
    for (const { id } of passed) this.had.add(id);
    const known = withoutNumbered(countFrom(this.walk.known, this.time), passed);
    const found = feeds.map((feed) => this.#read(feed, knownThrough(known)));
    const taken = takePending(found, { walk: { ...this.walk, known }, room: limit, isWanted: () => true });
    for (const { id } of taken.shown) this.had.add(id);
    expect(taken.shown.length).toBeLessThanOrEqual(limit);
    this.shown += taken.shown.length;
    this.omitted += taken.omitted.length;
    this.pages += 1;
    this.walk = taken.walk;
    return taken.isLast;
  }

  #read(feed: string, through: string | undefined): ReadFeed {
    const { after = '' } = this.walk;
    const following = this.pending.filter(
      ({ change, place }) => place > after && place <= (through ?? lastPlace) && change.feed === feed,
    );
    const read = following.slice(0, through === undefined ? limit : 2500);
    const pendingTo = read.length < following.length ? read.at(-1)?.place : through;
    return { pending: read.map(({ change }) => change), pendingTo } as unknown as ReadFeed;
  }
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'a walk shows everything that was pending when it began and that the reader has not had, at random %d',
  (seed) => {
    const world = new World(seed);
    world.add(3000, 0.2);
    for (let walk = 0; walk < 8; walk++) {
      const before = world.pending.map(({ change }) => change.id);
      while (!world.page()) {
        if (world.random() < 0.5) world.add(Math.floor(world.random() * 60), world.random() < 0.5 ? 0 : 0.3);
        if (seed % 2 === 1 && world.random() < 0.2) world.number(Math.floor(world.random() * 200));
      }
      const pending = new Set(world.pending.map(({ change }) => change.id));
      expect(before.filter((id) => pending.has(id) && !world.had.has(id))).toEqual([]);
    }
  },
);

test('a reader that has had them reads 20,000 pending in pages of about 2,000, and has what is committed meanwhile', () => {
  const world = new World(1);
  world.add(20_000);
  world.time += 5000;
  while (!world.page());
  expect(world).toMatchObject({ shown: 20_000, omitted: 0 });
  world.time += 5000;
  Object.assign(world, { pages: 0, shown: 0 });
  while (!world.page()) world.add(6);
  expect(world.omitted).toBe(20_000);
  expect(world.shown).toBeGreaterThan(0);
  expect(world.pages).toBeLessThanOrEqual(13);
});

test('a cursor stays short, however many changes of one user are pending', () => {
  const walk = (after: string | undefined, known: KnownPending) =>
    encodeFeedCursor('billing' as AppId, {
      feeds: [afterNumber(900_000_000_000), afterNumber(900_000_000_000)],
      pendingAfter: after,
      known,
    });
  const world = new World(2);
  world.addOf('ada', 30_000);
  let longest = 0;
  for (let walks = 0; walks < 2; walks++) {
    for (let isLast = false; !isLast; ) {
      isLast = world.page();
      longest = Math.max(longest, walk(world.walk.after, world.walk.known).length);
    }
    world.time += 5000;
  }
  expect(longest).toBeGreaterThan(1500);
  expect(longest).toBeLessThanOrEqual(4096);
});
