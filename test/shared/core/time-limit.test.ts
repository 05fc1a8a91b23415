import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { currentSignal, hasTime, requireTime, runUntil, runWithin } from '#shared/core/clock.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const unavailable = expect.objectContaining({
  code: 'unavailable',
  options: expect.objectContaining({ detail: 'The database is slow right now. Try again.' }),
});

describe('the time limit of', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: start });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  describe('a request', () => {
    test('may send until its time is up, by the wall clock', async () => {
      await runUntil(start + 1000, async () => {
        jest.setSystemTime(start + 999);
        expect(hasTime()).toBe(true);
        requireTime();
        // As after a freeze: the clock has gone on, and no timer has run.
        jest.setSystemTime(start + 1000);
        expect(hasTime()).toBe(false);
        expect(requireTime).toThrow(unavailable);
      });
    });

    test('says why it aborts in a text, as an error would be made for each request', async () => {
      const answered = await runUntil(start + 1000, async () => currentSignal());
      expect(answered?.reason).toBe('The request has been answered');
      await runUntil(start + 1000, () =>
        runWithin(5000, async () => {
          jest.advanceTimersByTime(1000);
          expect(currentSignal()?.reason).toBe('The time of the request is up');
        }),
      );
    });

    test('aborts what it has sent when its time is up', async () => {
      await runUntil(start + 1000, async () => {
        const signal = currentSignal();
        jest.advanceTimersByTime(999);
        expect(signal?.aborted).toBe(false);
        jest.advanceTimersByTime(1);
        expect(signal?.aborted).toBe(true);
      });
    });

    test('sends nothing any more once it has answered, though its time is not up', async () => {
      let goOn: () => void = () => undefined;
      let abandoned: Promise<boolean> | undefined;
      let signal: AbortSignal | undefined;
      await runUntil(start + 1000, async () => {
        signal = currentSignal();
        abandoned = new Promise<void>((resolve) => {
          goOn = resolve;
        }).then(hasTime);
      });
      goOn();
      expect(await abandoned).toBe(false);
      expect(signal?.aborted).toBe(true);
    });

    test('knows nothing of another one at the same time', async () => {
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
    test('ends after its own time, and the request goes on', async () => {
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

    test('ends when its request has answered, though it goes on', async () => {
      let goOn: () => void = () => undefined;
      let signal: AbortSignal | undefined;
      let abandoned: Promise<boolean> | undefined;
      await runUntil(start + 1000, async () => {
        abandoned = runWithin(500, async () => {
          signal = currentSignal();
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          return hasTime();
        });
      });
      expect(signal?.aborted).toBe(true);
      goOn();
      expect(await abandoned).toBe(false);
    });

    test('leaves no listener behind, and its request no timer', async () => {
      await runUntil(start + 1000, async () => {
        await runWithin(500, async () => undefined);
        expect(getEventListeners(currentSignal() as AbortSignal, 'abort')).toEqual([]);
      });
      expect(jest.getTimerCount()).toBe(0);
    });

    test('has a time of its own outside of a request', async () => {
      expect(hasTime()).toBe(true);
      await runWithin(1000, async () => {
        jest.setSystemTime(start + 1000);
        expect(requireTime).toThrow(unavailable);
      });
      expect(currentSignal()).toBeUndefined();
    });
  });
});
