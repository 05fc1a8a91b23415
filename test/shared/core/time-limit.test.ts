import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { currentSignal, hasTime, requireTime, runUntil, runWithin } from '#shared/core/clock.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const unavailable = expect.objectContaining({
  code: 'unavailable',
  options: expect.objectContaining({ detail: 'The database is responding slowly. Try again.' }),
});

describe('the time limit of', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: start });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  describe('a request', () => {
    test('allows sending until its deadline, by the wall clock', async () => {
      await runUntil(start + 1000, async () => {
        jest.setSystemTime(start + 999);
        expect(hasTime()).toBe(true);
        requireTime();
        // As after a freeze: the clock has advanced, but no timer has fired.
        jest.setSystemTime(start + 1000);
        expect(hasTime()).toBe(false);
        expect(requireTime).toThrow(unavailable);
      });
    });

    test('aborts with a string as the reason, to avoid creating an error for each request', async () => {
      const answered = await runUntil(start + 1000, async () => currentSignal());
      expect(answered?.reason).toBe('The request has been answered');
      await runUntil(start + 1000, () =>
        runWithin(5000, async () => {
          jest.advanceTimersByTime(1000);
          expect(currentSignal()?.reason).toBe('The request has run out of time');
        }),
      );
    });

    test('aborts pending requests at its deadline', async () => {
      await runUntil(start + 1000, async () => {
        const signal = currentSignal();
        jest.advanceTimersByTime(999);
        expect(signal?.aborted).toBe(false);
        jest.advanceTimersByTime(1);
        expect(signal?.aborted).toBe(true);
      });
    });

    test('sends nothing after its response, even before its deadline', async () => {
      let goOn: () => void = () => undefined;
      let unfinished: Promise<boolean> | undefined;
      let signal: AbortSignal | undefined;
      await runUntil(start + 1000, async () => {
        signal = currentSignal();
        unfinished = new Promise<void>((resolve) => {
          goOn = resolve;
        }).then(hasTime);
      });
      goOn();
      expect(await unfinished).toBe(false);
      expect(signal?.aborted).toBe(true);
    });

    test('is independent of concurrent ones', async () => {
      await runUntil(start + 1000, async () => {
        await runUntil(start + 5000, async () => {
          jest.setSystemTime(start + 2000);
          expect(hasTime()).toBe(true);
        });
        expect(hasTime()).toBe(false);
      });
    });
  });

  describe('an attempt of a request', () => {
    test('ends at its own deadline, and the request continues', async () => {
      await runUntil(start + 10_000, async () => {
        await runWithin(1000, async () => {
          jest.setSystemTime(start + 1000);
          expect(hasTime()).toBe(false);
        });
        expect(hasTime()).toBe(true);
      });
    });

    test('ends with the request', async () => {
      await runUntil(start + 1000, async () => {
        await runWithin(5000, async () => {
          const signal = currentSignal();
          jest.advanceTimersByTime(1000);
          expect([hasTime(), signal?.aborted]).toEqual([false, true]);
        });
      });
    });

    test('ends when its request has answered, although it continues', async () => {
      let goOn: () => void = () => undefined;
      let signal: AbortSignal | undefined;
      let unfinished: Promise<boolean> | undefined;
      await runUntil(start + 1000, async () => {
        unfinished = runWithin(500, async () => {
          signal = currentSignal();
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          return hasTime();
        });
      });
      expect(signal?.aborted).toBe(true);
      goOn();
      expect(await unfinished).toBe(false);
    });

    test('leaves no listener or timer behind', async () => {
      await runUntil(start + 1000, async () => {
        await runWithin(500, async () => undefined);
        expect(getEventListeners(currentSignal() as AbortSignal, 'abort')).toEqual([]);
      });
      expect(jest.getTimerCount()).toBe(0);
    });

    test('has its own deadline outside a request', async () => {
      expect(hasTime()).toBe(true);
      await runWithin(1000, async () => {
        jest.setSystemTime(start + 1000);
        expect(requireTime).toThrow(unavailable);
      });
      expect(currentSignal()).toBeUndefined();
    });
  });
});
