import { describe, expect, test } from '@jest/globals';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { FoundChange } from '#shared/domain/history/read-feed.ts';
import {
  afterFailure,
  hasRoom,
  isDue,
  isHopeless,
  laneToProbe,
  nextProbeAt,
  type ReceiverState,
  withEvent,
  withHope,
  withoutEvent,
} from '../../delivery/delivery-lanes.ts';
import type { Lane } from '../../table/lane-item.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const seconds = (count: number) => new Date(at.getTime() + count * 1000);
const timeOf = (count: number) => seconds(count).toISOString();
const receiver: ReceiverState = { accepted: 7, version: 2 };
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
  attemptedAt: null,
  isolatedFailures: 0,
  ...receiver,
  events: ids.map((id) => change(id, 'ada')),
  ...more,
});
const failed = (more: Partial<Lane> = {}) =>
  lane(['1'], { failures: 1, since: timeOf(-10), attemptedAt: timeOf(-10), nextAttemptAt: timeOf(60), ...more });
const idsOf = ({ events }: Lane) => events.map(({ id }) => id);

test('there is room for two thousand users and as many changes of each', () => {
  const lanes = (users: number, changes: number) =>
    new Map(Array.from({ length: users }, (_, n) => [String(n), lane(Array(changes).fill('1'))]));
  const counts = [lanes(1999, 1), lanes(2000, 1), lanes(1, 1999), lanes(1, 2000), lanes(40, 500), lanes(0, 0)];
  expect(counts.map(hasRoom)).toEqual([true, false, true, false, true, true]);
});

describe('changes wait', () => {
  test('in the order of each user, once, and those of no user together', () => {
    const first = withEvent(undefined, change('3', 'ada'), receiver, at);
    expect(first).toEqual(lane(['3']));
    const more = withEvent(withEvent(first, change('1', 'ada'), receiver, at), change('3', 'ada'), receiver, at);
    expect(idsOf(more)).toEqual(['1', '3']);
    expect(withEvent(undefined, change('2'), receiver, at)).toEqual(
      lane([], { subject: '', events: [{ id: '2', action: 'access.changed', feed: 'billing' as AppId }] }),
    );
    expect(withEvent(failed(), change('2', 'ada'), receiver, at)).toEqual({
      ...failed(),
      events: lane(['1', '2']).events,
    });
  });

  test('anew after one that was delivered, and not after the last', () => {
    const left = withoutEvent(failed({ events: lane(['1', '2']).events, isolatedFailures: 2 }), '1', seconds(5));
    expect(left).toEqual(lane(['2'], { nextAttemptAt: timeOf(5) }));
    expect(withoutEvent(lane(['1']), '1', at)).toBeUndefined();
    // One that came meanwhile and is older than what was delivered.
    expect(withoutEvent(lane(['1', '2']), '2', at)).toEqual(lane(['1']));
  });
});

describe('a lane is due', () => {
  test('at its time', () => {
    expect([isDue(lane(['1']), receiver, at), isDue(lane(['1']), receiver, seconds(-1))]).toEqual([true, false]);
  });

  test('when the receiver has accepted something since its attempt', () => {
    expect(isDue(failed(), receiver, at)).toBe(false);
    expect(isDue(failed(), { ...receiver, accepted: 8 }, at)).toBe(true);
  });

  test('but not if it has failed three times while others were accepted, until there is new hope', () => {
    const accepting = { ...receiver, accepted: 8 };
    expect(isDue(failed({ isolatedFailures: 2 }), accepting, at)).toBe(true);
    expect(isDue(failed({ isolatedFailures: 3 }), accepting, at)).toBe(false);
    expect(isDue(withHope(failed({ isolatedFailures: 3 })), accepting, at)).toBe(true);
    expect(withHope(failed({ isolatedFailures: 2 }))).toEqual(failed({ isolatedFailures: 2 }));
  });

  test('when the webhook was changed, whatever it has been through', () => {
    const lost = failed({ isolatedFailures: 3, notBefore: timeOf(600) });
    expect(isDue(lost, { ...receiver, version: 3 }, at)).toBe(true);
  });

  test('not before the time that the receiver asked for', () => {
    const asked = failed({ nextAttemptAt: timeOf(0), notBefore: timeOf(10) });
    expect(isDue(asked, { ...receiver, accepted: 8 }, seconds(9))).toBe(false);
    expect(isDue(asked, receiver, seconds(10))).toBe(true);
  });
});

describe('a receiver that accepts nothing is tried', () => {
  const attempted = (secondsAgo: number, more: Partial<Lane> = {}) =>
    failed({ subject: String(secondsAgo), attemptedAt: timeOf(-secondsAgo), ...more });

  test('with what has waited longest, a minute after the last attempt', () => {
    expect(laneToProbe([attempted(59), attempted(90)], at)).toBeUndefined();
    expect(laneToProbe([attempted(60), attempted(90), attempted(70)], at)?.subject).toBe('90');
    expect(laneToProbe([], at)).toBeUndefined();
  });

  test('but not with what fails alone, nor before the time that it asked for', () => {
    const lanes = [attempted(90, { isolatedFailures: 3 }), attempted(80, { notBefore: timeOf(1) }), attempted(70)];
    expect(laneToProbe(lanes, at)?.subject).toBe('70');
    expect(lanes.map((one) => nextProbeAt(one, at))).toEqual([undefined, timeOf(60), timeOf(60)]);
    expect(nextProbeAt(attempted(80, { notBefore: timeOf(61) }), at)).toBeUndefined();
  });
});

describe('a failure', () => {
  const pauseAfter = (failures: number, retryAfterSeconds = 0) => {
    const next = afterFailure(lane(['1'], { failures }), receiver, at, retryAfterSeconds);
    return (Date.parse(next.nextAttemptAt) - at.getTime()) / 1000;
  };

  test('is counted, and the first one is remembered', () => {
    const first = afterFailure(lane(['1']), receiver, at, 0);
    expect(first).toMatchObject({ failures: 1, since: timeOf(0), attemptedAt: timeOf(0), isolatedFailures: 0 });
    const second = afterFailure(first, receiver, seconds(9), 0);
    expect(second).toMatchObject({ failures: 2, since: timeOf(0), attemptedAt: timeOf(9), isolatedFailures: 0 });
  });

  test('before its time leaves that time as it was, and is remembered if others were accepted', () => {
    const early = afterFailure(failed(), { ...receiver, accepted: 8 }, at, 0);
    expect(early).toEqual({ ...failed(), accepted: 8, attemptedAt: timeOf(0), isolatedFailures: 1 });
    expect(afterFailure(failed(), receiver, at, 0)).toEqual({ ...failed(), attemptedAt: timeOf(0) });
  });

  test('after the webhook was changed is the first again', () => {
    const lost = failed({ failures: 8, isolatedFailures: 3, notBefore: timeOf(600) });
    const { nextAttemptAt, ...next } = afterFailure(lost, { ...receiver, version: 3 }, at, 0);
    const { nextAttemptAt: _, ...first } = failed({ since: timeOf(0), attemptedAt: timeOf(0), version: 3 });
    expect(next).toEqual(first);
    expect(Date.parse(nextAttemptAt)).toBeLessThanOrEqual(seconds(5.5).getTime());
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
    const early = afterFailure(failed(), receiver, at, 600);
    expect(early.notBefore).toBe(timeOf(600));
    expect(Date.parse(early.nextAttemptAt)).toBeGreaterThanOrEqual(seconds(600).getTime());
  });

  test('is hopeless after three days', () => {
    expect([timeOf(-259_200), timeOf(-259_199), null].map((since) => isHopeless(since, at))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
