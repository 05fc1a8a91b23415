import { afterEach, expect, jest, test } from '@jest/globals';
import { createEarlyReads } from '../../dashboard/api/early-reads.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const url = '/api/manage/users?q=ada%20l';
const { signal } = new AbortController();
const get = { method: 'GET' };

/** The early reads of a page whose service gives these answers, one after the other, and what was sent. */
function readsWith(...answers: readonly (string | number | Error)[]) {
  const sent: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (to) => {
    const answer = answers[sent.push(String(to)) - 1];
    if (typeof answer === 'string') return Response.json(answer);
    if (typeof answer === 'number') return Response.json({}, { status: answer });
    throw answer ?? new Error('No more answers');
  });
  const reads = createEarlyReads({ token: () => 'token' });
  const fetched = async (to: string, init = get) => (await (await reads.fetch(to, init)).json()) as unknown;
  return { sent, reads, fetched };
}

test('an answer that was read early is used once, however its URL is encoded', async () => {
  const { sent, reads, fetched } = readsWith('early', 'later');
  expect(await (await reads.read('/api/manage/users?q=ada+l', signal)).json()).toBe('early');
  expect(await fetched(url)).toBe('early');
  expect(await fetched(url)).toBe('later');
  expect(sent).toHaveLength(2);
});

test('it is used while it is still on its way', async () => {
  const { sent, reads, fetched } = readsWith('early');
  const early = reads.read(url, signal);
  expect(await fetched(url)).toBe('early');
  expect(await (await early).json()).toBe('early');
  expect(sent).toHaveLength(1);
});

test.each([
  ['a refused one', 401],
  ['an unavailable one', 503],
  ['one without an answer', new TypeError('Failed to fetch')],
])('%s is sent again', async (_, failure) => {
  const { sent, reads, fetched } = readsWith(failure, 'later');
  await reads.read(url, signal).catch(() => undefined);
  expect(await fetched(url)).toBe('later');
  expect(sent).toHaveLength(2);
});

test('another read leaves it; a change makes it outdated, and what is left can be forgotten', async () => {
  const { reads, fetched } = readsWith(
    'early',
    'operator',
    'changed',
    'after the change',
    'early again',
    'asked again',
  );
  await reads.read(url, signal);
  expect(await fetched('/api/manage/operator')).toBe('operator');
  expect(await fetched('/api/manage/users/ada', { method: 'PATCH' })).toBe('changed');
  expect(await fetched(url)).toBe('after the change');
  await reads.read(url, signal);
  reads.forget();
  expect(await fetched(url)).toBe('asked again');
});
