import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { UserId } from '#shared/contract/fields.ts';
import { takeInOrder } from '#shared/domain/history/feed-order.ts';

/** A change as `a5`: of the user `a`, with the id 05; `-5` is of no user. */
const change = (text: string) => ({
  id: text.slice(1).padStart(2, '0'),
  action: 'access.changed' as const,
  ...(text.startsWith('-') ? {} : { userId: text.slice(0, 1) as UserId }),
});

interface Part {
  readonly pending?: string;
  readonly complete?: boolean;
}

const feed = (numbered: string, { pending = '', complete = true }: Part = {}) => ({
  numbered: split(numbered).map((text) => ({ change: change(text) })),
  pending: split(pending).map(change),
  complete,
});
const split = (texts: string) => texts.split(' ').filter((text) => text !== '');
const take = (own: ReturnType<typeof feed>, users: ReturnType<typeof feed>, limit = 50) => {
  const { counts, more } = takeInOrder([own, users], limit);
  return [...counts, more];
};

describe('of two feeds', () => {
  test('the next changes are taken by their ids', () => {
    expect(take(feed('a1 b4'), feed('c2 c3'), 3)).toEqual([1, 2, true]);
    expect(take(feed('a1 b4'), feed('c2 c3'), 4)).toEqual([2, 2, false]);
    expect(take(feed(''), feed(''))).toEqual([0, 0, false]);
  });

  test('those that must come before them are taken too, wherever they are in the other feed', () => {
    expect(take(feed('a5'), feed('b9 a3 b7'), 1)).toEqual([1, 2, true]);
    expect(take(feed('a5 b1'), feed('b2 a3'), 1)).toEqual([2, 2, false]);
    expect(take(feed('a5'), feed('-9 -3'), 1)).toEqual([1, 0, true]);
  });

  test('a change, and all after it, waits for an earlier one of its user without a number', () => {
    expect(take(feed('c1 a5 b6'), feed('d9', { pending: 'a3' }))).toEqual([1, 1, false]);
    expect(take(feed('c1 a5 b6'), feed('b9', { pending: 'a3' }))).toEqual([1, 0, false]);
    expect(take(feed('c1 a5 b6'), feed('b3 a6', { pending: 'a7 c4 -1' }))).toEqual([3, 2, false]);
    expect(take(feed('a2', { pending: 'c1' }), feed('c3', { pending: 'a1' }))).toEqual([0, 0, false]);
  });

  test('nothing is taken that comes after the last of a feed that was not read to its end', () => {
    expect(take(feed('a1 a3 a5'), feed('b2 b4', { complete: false }))).toEqual([2, 2, true]);
    expect(take(feed('a1 a3', { complete: false }), feed('b2 b4', { complete: false }))).toEqual([2, 1, true]);
    // Unless nothing could ever be taken.
    expect(take(feed('a5 -6', { complete: false }), feed('c9 a3 c8', { complete: false }))).toEqual([2, 3, true]);
  });
});

/** Changes of both feeds, in any order across users, but those of a user in theirs. */
const feeds = fc
  .array(fc.record({ user: fc.constantFrom('a', 'b', 'c'), feed: fc.nat(1), place: fc.nat(100), isPending: fc.nat(9) }))
  .map((drawn) => {
    const made = drawn.map((one, at) => ({ ...one, id: String(at).padStart(2, '0') }));
    const of = (at: number) => {
      const own = made.filter((one) => one.feed === at);
      const pendingFrom = (user: string) => own.find((one) => one.user === user && one.isPending === 0)?.id ?? '~';
      const isNumbered = ({ user, id }: (typeof own)[number]) => id < pendingFrom(user);
      const places = new Map<string, number>();
      const placed = own.filter(isNumbered).map((one) => {
        const place = Math.max(one.place, (places.get(one.user) ?? 0) + 1);
        places.set(one.user, place);
        return { ...one, place };
      });
      const textOf = ({ user, id }: (typeof own)[number]) => `${user}${id}`;
      const numbered = placed.toSorted((one, other) => one.place - other.place).map(textOf);
      const pending = own.filter((one) => !isNumbered(one)).map(textOf);
      return { numbered: numbered.join(' '), pending: pending.join(' ') };
    };
    return [of(0), of(1)] as const;
  });

test('page by page, each user has their changes in order, and what waits for no number is taken', () => {
  fc.assert(
    fc.property(feeds, fc.integer({ min: 1, max: 5 }), ([own, users], limit) => {
      const seen = new Map<string, string>();
      let left = [split(own.numbered), split(users.numbered)] as const;
      for (;;) {
        const parts = [own, users].map(({ pending }, at) => feed(left[at as 0 | 1].join(' '), { pending }));
        const { counts, more } = takeInOrder(parts as never, limit);
        const taken = [...left[0].slice(0, counts[0]), ...left[1].slice(0, counts[1])].map(change);
        for (const { id, userId = '' } of taken.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
          expect(id > (seen.get(userId) ?? '')).toBe(true);
          seen.set(userId, id);
        }
        left = [left[0].slice(counts[0]), left[1].slice(counts[1])];
        if (!more) break;
        expect(taken.length).toBeGreaterThanOrEqual(1);
      }
      const pending = [...split(own.pending), ...split(users.pending)];
      if (pending.length === 0) expect(left).toEqual([[], []]);
      const missed = [...left[0], ...left[1], ...pending].map(change);
      for (const { id, userId = '' } of missed) expect(id > (seen.get(userId) ?? '')).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
