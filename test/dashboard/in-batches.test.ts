import { describe, expect, test } from '@jest/globals';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { batchesOf } from '#shared/contract/bulk.ts';
import { maxBodyBytes } from '#shared/contract/fields.ts';
import { inBatches, outcomesOf } from '../../dashboard/api/in-batches.ts';
import { ProblemError } from '../../dashboard/api/problem-error.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `user-${n}`);

test('batches have at most a hundred names, in order', () => {
  const batches = batchesOf(numbered(250));
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(batches.flat()).toEqual(numbered(250));
  expect(batchesOf([])).toEqual([]);
});

test('a batch of the longest addresses in multi-byte characters fits into the body of a request', () => {
  const batches = batchesOf(Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(254, 'ß')));
  for (const names of batches) {
    expect(new TextEncoder().encode(JSON.stringify({ names })).length).toBeLessThan(maxBodyBytes);
  }
  expect(batches.flat()).toHaveLength(100);
});

test('returns results in the order of the names, but reports them as they arrive', async () => {
  const reported: string[] = [];
  const results = await inBatches(
    numbered(300),
    async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, batch[0] === 'user-0' ? 20 : 0));
      return batch;
    },
    { onResults: (batch) => reported.push(batch[0] ?? '') },
  );
  expect(results).toEqual(numbered(300));
  expect(reported.at(-1)).toBe('user-0');
});

test('after a stop, batches in progress finish and no further batch is sent', async () => {
  const controller = new AbortController();
  const begun: string[] = [];
  const results = await inBatches(
    numbered(1000),
    async (batch) => {
      begun.push(batch[0] ?? '');
      if (begun.length === 4) controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 0));
      return batch;
    },
    { signal: controller.signal },
  );
  expect(begun.length).toBeLessThan(10);
  expect(results).toHaveLength(begun.length * 100);
});

test('a rejected batch fails for all its users, and a batch without a response is retried', async () => {
  const refused = new ProblemError({ status: 404, code: 'application_not_found', title: 'No', detail: 'None.' });
  const failed = await outcomesOf(['ada'], () => Promise.reject(refused));
  expect(failed).toEqual([
    { userId: 'ada', outcome: 'failed', problem: { code: 'application_not_found', detail: 'None.' } },
  ]);
  const answer: BulkOutcome[] = [{ userId: 'ada', outcome: 'changed' }];
  let attempts = 0;
  const outcomes = await outcomesOf(['ada'], async () => {
    attempts += 1;
    if (attempts === 1) throw new TypeError('fetch failed');
    return answer;
  });
  expect([outcomes, attempts]).toEqual([answer, 2]);
});

test('a user who needs no change any more after an attempt without a response was changed by it', async () => {
  let attempts = 0;
  const outcomes = await outcomesOf(['ada', 'bob'], async (userIds) => {
    attempts += 1;
    const ada = { userId: 'ada', outcome: 'failed', problem: { code: 'unavailable', detail: '' } } as const;
    if (attempts === 1) return [ada, { userId: 'bob', outcome: 'unchanged' }];
    return userIds.map((userId) => ({ userId, outcome: 'unchanged' }));
  });
  expect(outcomes).toEqual([
    { userId: 'ada', outcome: 'changed' },
    { userId: 'bob', outcome: 'unchanged' },
  ]);
});

describe('a batch without an answer', () => {
  const lost = async () => {
    throw new TypeError('fetch failed');
  };

  test('was changed if nothing is left to change, and otherwise says that it was not', async () => {
    const check = async (userIds: readonly string[]): Promise<BulkOutcome[]> =>
      userIds.map((userId) => ({ userId, outcome: userId === 'ada' ? 'unchanged' : 'changed' }));
    const outcomes = await outcomesOf(['ada', 'bob'], lost, check);
    expect(outcomes.map(({ outcome, problem }) => [outcome, problem?.code, problem?.detail])).toEqual([
      ['changed', undefined, undefined],
      ['failed', 'unavailable', expect.stringContaining('nothing had changed')],
    ]);
  });

  test('may be done or not if the service does not answer the check either', async () => {
    const [outcome] = await outcomesOf(['ada'], lost, lost);
    expect(outcome).toMatchObject({ outcome: 'failed', problem: { code: 'unavailable' } });
    expect(outcome?.problem?.detail).toContain('may be done or not');
  });

  test('is sent again alone: the service could not keep up', async () => {
    const first = new Set<string>();
    let [running, most] = [0, 0];
    const send = async (userIds: readonly string[]): Promise<BulkOutcome[]> => {
      const [name = ''] = userIds;
      if (!first.has(name)) {
        first.add(name);
        throw new TypeError('fetch failed');
      }
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return userIds.map((userId) => ({ userId, outcome: 'changed' }));
    };
    const outcomes = await inBatches(numbered(300), (batch) => outcomesOf(batch, send));
    expect([outcomes.length, most]).toEqual([300, 1]);
  });
});

test('after the end of the session no further batch is sent', async () => {
  const ended = new ProblemError({ code: 'session_ended', title: 'Ended', detail: 'Log in.' });
  let sent = 0;
  const send = async () => {
    sent += 1;
    throw ended;
  };
  await expect(inBatches(numbered(2000), (batch) => outcomesOf(batch, send))).rejects.toBe(ended);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sent).toBe(3);
});
