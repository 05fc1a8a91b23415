import '../../../support/settle-ten-seconds.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  concurrentChange,
  requireNotClosed,
  settlesAt,
  startDeletion,
  whileClosed,
} from '#shared/domain/request/settling.ts';
import { updateEntry } from '#shared/table/expression.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const inSeconds = (seconds: number) => start + seconds * 1000;

const memory = tableForEachTest(start);

describe('the time of a deletion', () => {
  test('is over 24 seconds after its start', () => {
    const { hasTime } = startDeletion();
    jest.setSystemTime(inSeconds(24) - 1);
    expect(hasTime()).toBe(true);
    jest.setSystemTime(inSeconds(24));
    expect(hasTime()).toBe(false);
  });

  test('is waited for to the millisecond', async () => {
    let waited: boolean | undefined;
    const waiting = startDeletion()
      .waitUntil(inSeconds(10))
      .then((is) => {
        waited = is;
      });
    await jest.advanceTimersByTimeAsync(9_999);
    expect(waited).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    expect(waited).toBe(true);
  });

  test('is not waited for if it has already come', async () => {
    const { waitUntil } = startDeletion();
    const waiting = waitUntil(inSeconds(-1));
    await jest.advanceTimersByTimeAsync(0);
    expect(await waiting).toBe(true);
    const late = waitUntil(inSeconds(20));
    jest.setSystemTime(inSeconds(30));
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await late).toBe(false);
  });

  test('is not waited for if no time would be left then', async () => {
    expect(await startDeletion().waitUntil(inSeconds(24))).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('allows ten seconds for earlier writes to end', () => {
    expect(settlesAt()).toBe(inSeconds(10));
  });
});

describe('a role or application to be deleted', () => {
  const key = { pk: 'APP#billing', sk: 'ROLE#editor' };
  const closable = {
    kind: 'role' as const,
    close: (until: string) => updateEntry({ key, set: { closedUntil: until }, equals: { version: 1 } }),
    reopen: (until: string) =>
      updateEntry({ key, set: {}, remove: ['closedUntil'], equals: { closedUntil: until, version: 1 } }),
  };
  beforeEach(() => {
    memory.put({ ...key, version: 1 });
  });
  const closedUntil = () => memory.table.get(key)?.closedUntil;
  const close = async (run: (until: string) => Promise<unknown>, time = startDeletion()) => {
    const outcome = whileClosed(closable, time, run).catch((error) => error);
    await jest.advanceTimersByTimeAsync(30_000);
    return outcome;
  };

  test('is closed for a minute, and stays closed after success', async () => {
    let ranAt = 0;
    const run = async (until: string) => {
      ranAt = Date.now();
      expect(closedUntil()).toBe(until);
      return until;
    };
    expect(await close(run)).toBe(new Date(inSeconds(60)).toISOString());
    expect([ranAt, closedUntil()]).toEqual([inSeconds(10), new Date(inSeconds(60)).toISOString()]);
  });

  test('is reopened if the deletion is refused', async () => {
    const refused = new Error('in use');
    expect(await close(() => Promise.reject(refused))).toBe(refused);
    expect(memory.table.get(key)).toEqual({ ...key, version: 1 });
  });

  test('is reopened if no time is left to wait', async () => {
    const run = jest.fn(async () => 'done');
    const none = { hasTime: () => false, waitUntil: async () => false };
    expect(await close(run, none)).toMatchObject({ code: 'unavailable' });
    expect([run.mock.calls.length, closedUntil()]).toEqual([0, undefined]);
  });

  test('is not changed if it was modified since', async () => {
    memory.put({ ...key, version: 2 });
    const run = jest.fn(async () => 'done');
    expect(await close(run)).toEqual(concurrentChange('role'));
    expect([run.mock.calls.length, closedUntil()]).toEqual([0, undefined]);
  });

  test('is not used while it is closed: 503 with a retry after five seconds', () => {
    const at = new Date(start);
    for (const kind of ['role', 'application'] as const) {
      expect(() => requireNotClosed(kind, new Date(start + 1).toISOString(), at)).toThrow(
        expect.objectContaining({
          code: 'unavailable',
          options: {
            detail: `This ${kind} may be about to be deleted. Try again in a few seconds.`,
            headers: { 'retry-after': '5' },
          },
        }),
      );
      expect(() => requireNotClosed(kind, at.toISOString(), at)).not.toThrow();
      expect(() => requireNotClosed(kind, undefined, at)).not.toThrow();
      expect(concurrentChange(kind).options.detail).toBe(`This ${kind} is being modified. Try again.`);
    }
  });
});
