import { describe, expect, test } from '@jest/globals';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { FoundChange } from '#shared/domain/history/read-feed.ts';
import { addToLanes, afterFailure, hasRoom, isDue, isHopeless, withoutFirst } from '../../delivery/delivery-lanes.ts';
import type { Lane } from '../../table/webhook-state-item.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const seconds = (count: number) => new Date(at.getTime() + count * 1000);
const change = (id: string, userId?: string) =>
  ({
    id,
    action: 'access.changed' as ChangeAction,
    feed: 'billing' as AppId,
    ...(userId !== undefined && { userId: userId as UserId }),
  }) as FoundChange;
const lane = (ids: readonly string[], more: Partial<Lane> = {}): Lane => ({
  subject: 'ada',
  failures: 0,
  since: null,
  nextAttemptAt: at.toISOString(),
  events: ids.map((id) => change(id, 'ada')),
  ...more,
});
const idsOf = (lanes: readonly Lane[]) => lanes.map(({ subject, events }) => [subject, ...events.map(({ id }) => id)]);

test('there is room for fifty users and a hundred changes', () => {
  const lanes = (users: number, changes: number) => Array.from({ length: users }, () => lane(Array(changes).fill('1')));
  expect([lanes(49, 1), lanes(50, 1), lanes(1, 99), lanes(1, 100), lanes(4, 25), lanes(0, 0)].map(hasRoom)).toEqual([
    true,
    false,
    true,
    false,
    false,
    true,
  ]);
});

describe('changes wait', () => {
  test('in the order of each user, once, and those of no user together', () => {
    const lanes = addToLanes([], [change('3', 'ada'), change('2'), change('4', 'ben'), change('1', 'ada')], at);
    expect(idsOf(lanes)).toEqual([
      ['ada', '1', '3'],
      ['', '2'],
      ['ben', '4'],
    ]);
    expect(lanes[1]).toEqual({
      subject: '',
      failures: 0,
      since: null,
      nextAttemptAt: at.toISOString(),
      events: [{ id: '2', action: 'access.changed', feed: 'billing' }],
    });
    expect(lanes[2]?.events).toEqual([{ id: '4', action: 'access.changed', userId: 'ben', feed: 'billing' }]);
    const failing = [lane(['2'], { failures: 3, since: at.toISOString() })];
    const more = addToLanes(failing, [change('2', 'ada'), change('5', 'ada'), change('1', 'ada')], seconds(60));
    expect(more).toEqual([lane(['1', '2', '5'], { failures: 3, since: at.toISOString() })]);
  });

  test('until they are due', () => {
    expect([isDue(lane(['2']), at), isDue(lane(['2']), seconds(-1)), isDue(lane([]), at)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test('what comes after a delivered change begins anew, and nothing is left after the last', () => {
  expect(withoutFirst(lane(['1', '2'], { failures: 3, since: at.toISOString() }), seconds(5))).toEqual(
    lane(['2'], { nextAttemptAt: seconds(5).toISOString() }),
  );
  expect(withoutFirst(lane(['1']), at)).toBeUndefined();
});

describe('a failure', () => {
  const pauseAfter = (failures: number, retryAfterSeconds = 0) => {
    const next = afterFailure(lane(['1'], { failures }), at, retryAfterSeconds);
    return (Date.parse(next.nextAttemptAt) - at.getTime()) / 1000;
  };

  test('is counted, and the first one is remembered', () => {
    const first = afterFailure(lane(['1']), at, 0);
    expect(first).toMatchObject({ failures: 1, since: at.toISOString() });
    expect(afterFailure(first, seconds(9), 0)).toMatchObject({ failures: 2, since: at.toISOString() });
  });

  test.each([
    [0, 5],
    [1, 300],
    [8, 86_400],
    [9, 86_400],
    [50, 86_400],
  ])('after %d others is tried again after %d seconds, and up to a tenth more', (failures, pause) => {
    const pauses = Array.from({ length: 50 }, () => pauseAfter(failures));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(pause);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(pause * 1.1);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  });

  test('is tried again when the receiver says, if that is later', () => {
    expect(pauseAfter(0, 60)).toBeGreaterThanOrEqual(60);
    expect(pauseAfter(1, 60)).toBeGreaterThanOrEqual(300);
  });

  test('is given up after three days', () => {
    const since = (count: number) => lane(['1'], { since: seconds(-count).toISOString() });
    expect([isHopeless(since(259_200), at), isHopeless(since(259_199), at), isHopeless(lane(['1']), at)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
