import { describe, expect, test } from '@jest/globals';
import { monotonicTimestamp, requireVersion, retryOnConflict } from '#shared/domain/request/optimistic-locking.ts';

const at = new Date('2026-11-20T19:00:00.000Z');

describe('monotonicTimestamp', () => {
  test.each([
    ['is now for an item that was never changed', null, '2026-11-20T19:00:00.000Z'],
    ['is now when the last change is older', '2026-11-20T18:59:59.999Z', '2026-11-20T19:00:00.000Z'],
    ['is one millisecond after a change at this very instant', '2026-11-20T19:00:00.000Z', '2026-11-20T19:00:00.001Z'],
    ['is one millisecond after a change by a faster clock', '2026-11-20T19:00:05.000Z', '2026-11-20T19:00:05.001Z'],
  ])('monotonicTimestamp %s', (_, updatedAt, expected) => {
    expect(monotonicTimestamp(at, updatedAt)).toBe(expected);
  });
});

describe('requireVersion', () => {
  test('accepts any version of an item when the caller names none', () => {
    expect(() => requireVersion('user', 7, undefined)).not.toThrow();
  });

  test('accepts an item at one of the versions that the caller names', () => {
    expect(() => requireVersion('user', 7, [3, 7])).not.toThrow();
  });

  test('refuses another version of an item and names the current one', () => {
    expect(() => requireVersion('user', 7, [3])).toThrow(
      expect.objectContaining({
        code: 'version_mismatch',
        options: expect.objectContaining({ members: { version: 7 } }),
      }),
    );
    expect(() => requireVersion('user', 7, [])).toThrow('The user is at version 7.');
  });
});

describe('retryOnConflict', () => {
  test('attempts a write that conflicts five times in all, then fails with unavailable', async () => {
    let attempts = 0;
    const conflicting = async () => {
      attempts++;
      return 'conflict' as const;
    };
    await expect(retryOnConflict(conflicting)).rejects.toMatchObject({ code: 'unavailable' });
    expect(attempts).toBe(5);
  });

  test('returns the first attempt that does not conflict', async () => {
    const results = ['conflict', 'conflict', 'done'] as const;
    let attempts = 0;
    expect(await retryOnConflict(async () => results[attempts++] ?? 'conflict')).toBe('done');
    expect(attempts).toBe(3);
  });
});
