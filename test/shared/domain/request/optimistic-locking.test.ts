import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { monotonicTimestamp, requireVersion, retryOnConflict } from '#shared/domain/request/optimistic-locking.ts';

const at = new Date('2026-11-20T19:00:00.000Z');

const changeAt = (milliseconds: number) => createUlid(new Date(at.getTime() + milliseconds));

describe('monotonicTimestamp', () => {
  test.each([
    ['is now for an item that was never changed', [], '2026-11-20T19:00:00.000Z'],
    ['is now for an item without a time', [{ updatedAt: null, lastChangeId: null }], '2026-11-20T19:00:00.000Z'],
    ['is now if the last change is older', [{ updatedAt: '2026-11-20T18:59:59.999Z' }], '2026-11-20T19:00:00.000Z'],
    ['is a millisecond after a simultaneous change', [{ updatedAt: at.toISOString() }], '2026-11-20T19:00:00.001Z'],
    ['is a millisecond after a faster clock', [{ updatedAt: '2026-11-20T19:00:05.000Z' }], '2026-11-20T19:00:05.001Z'],
    ['is a millisecond after the last Change', [{ lastChangeId: changeAt(5000) }], '2026-11-20T19:00:05.001Z'],
    [
      'is after the latest of several items',
      [{ updatedAt: '2026-11-20T19:00:02.000Z' }, { lastChangeId: changeAt(7000) }, { lastChangeId: changeAt(3000) }],
      '2026-11-20T19:00:07.001Z',
    ],
  ])('monotonicTimestamp %s', (_, before, expected) => {
    jest.useFakeTimers({ now: at });
    expect(monotonicTimestamp(...before)).toBe(expected);
    jest.useRealTimers();
  });
});

describe('requireVersion', () => {
  test('accepts any version of an item if the caller names none', () => {
    expect(() => requireVersion('user', 7, undefined)).not.toThrow();
  });

  test('accepts an item at one of the versions that the caller names', () => {
    expect(() => requireVersion('user', 7, [3, 7])).not.toThrow();
  });

  test('refuses a different version of an item and names the current one', () => {
    expect(() => requireVersion('user', 7, [3])).toThrow(
      expect.objectContaining({
        code: 'version_mismatch',
        options: expect.objectContaining({ members: { version: 7 } }),
      }),
    );
    expect(() => requireVersion('user', 7, [])).toThrow(
      new ServiceError('version_mismatch', { detail: 'The user is at version 7. Re-read it and try again.' }),
    );
  });
});

describe('retryOnConflict', () => {
  let waits: number[];
  beforeEach(() => {
    waits = [];
    const run = ((then: () => void, milliseconds: number) => {
      // The deadline of an attempt, which is not reached.
      if (milliseconds > 1000 * (attemptSeconds - 1)) return;
      waits.push(milliseconds);
      queueMicrotask(then);
    }) as typeof setTimeout;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(run);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('waits before each retry up to 60, 180, 540 and 1,620 ms, and not before the first attempt', async () => {
    const runs: number[][] = [];
    for (let n = 0; n < 200; n++) {
      waits = [];
      await retryOnConflict(async () => 'conflict').catch(() => runs.push(waits));
    }
    expect(new Set(runs.map(({ length }) => length))).toEqual(new Set([4]));
    for (const [retry, limit] of [60, 180, 540, 1620].entries()) {
      const drawn = runs.map((run) => run[retry] ?? Number.NaN);
      expect(Math.max(...drawn)).toBeLessThanOrEqual(limit);
      // The chance that none of 200 draws falls into a tenth of the range is one in a billion.
      expect(Math.max(...drawn)).toBeGreaterThan(0.9 * limit);
      expect(Math.min(...drawn)).toBeLessThan(0.1 * limit);
    }
  });

  test('attempts a write that conflicts five times in all, then fails with unavailable', async () => {
    let attempts = 0;
    const conflicting = async () => {
      attempts++;
      return 'conflict' as const;
    };
    await expect(retryOnConflict(conflicting)).rejects.toThrow(
      new ServiceError('unavailable', { detail: 'The resource is being modified. Try again.' }),
    );
    expect(attempts).toBe(5);
  });

  test('returns the first attempt that does not conflict', async () => {
    const results = ['conflict', 'conflict', 'done'] as const;
    let attempts = 0;
    expect(await retryOnConflict(async () => results[attempts++] ?? 'conflict')).toBe('done');
    expect(attempts).toBe(3);
  });
});
