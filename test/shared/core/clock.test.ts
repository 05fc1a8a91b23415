import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { jitter, now, pause } from '#shared/core/clock.ts';

const at = new Date('2026-11-20T19:00:00.000Z');

test('jitter draws whole numbers from 0 to its limit, inclusive', () => {
  const drawn = new Set(Array.from({ length: 200 }, () => jitter(2)));
  expect([...drawn].sort()).toEqual([0, 1, 2]);
  expect(jitter(0)).toBe(0);
});

describe('pause', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('pause resolves after the given milliseconds', async () => {
    jest.useFakeTimers({ now: at });
    const paused = pause(250).then(() => now());
    await jest.advanceTimersByTimeAsync(1000);
    expect(await paused).toEqual(new Date('2026-11-20T19:00:00.250Z'));
  });
});
