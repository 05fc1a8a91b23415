import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createServiceCaller, type SentRequest, type ServiceReply } from '#shared/calls/call-service.ts';
import { pause } from '#shared/core/clock.ts';
import { type CanarySubject, runCanary } from '../canary-run.ts';

const start = new Date('2026-11-20T19:00:00.000Z');
const key = { keyId: 'svk_k1_canary_01JCZ5T0000000000000000000', secret: `svs_${'A'.repeat(43)}` };
const newSubject = (): CanarySubject => ({ userId: 'canary', role: 'canary', key });
const other = { id: 'other' };
const block = { id: 'block' };

interface Answers {
  readonly status?: string;
  readonly changeId?: string | null;
  /** The pages of the feed; the last one repeats. */
  readonly feed?: readonly (readonly object[])[];
}

/** The latency of each response, in milliseconds. */
const times = { snapshot: 5, get: 10, put: 20, feed: 40 };

/** A service with these responses, and its requests with the milliseconds since the start. */
function serviceOf({ status = 'disabled', changeId = 'block', feed = [[block]] }: Answers) {
  const sent: (readonly [at: number, request: string, body?: object])[] = [];
  let pages = 0;
  const answer = async (milliseconds: number, body: ServiceReply['body']) => {
    await pause(milliseconds);
    return { status: 200, body };
  };
  const send = ({ method, url, body }: SentRequest): Promise<ServiceReply> => {
    const request = `${method} ${url.replace('https://api.example.com/api/service', '')}`;
    const at = Date.now() - start.getTime();
    sent.push(body === undefined ? [at, request] : [at, request, JSON.parse(body)]);
    if (method === 'PUT') return answer(times.put, { changeId });
    if (url.includes('/changes')) {
      const items = feed[Math.min(pages++, feed.length - 1)];
      return answer(times.feed, { items, cursor: `cursor-${pages}` });
    }
    if (url.includes('/access?')) return answer(times.snapshot, { changesCursor: 'now' });
    return answer(times.get, { effectiveStatus: status });
  };
  return { sent, service: createServiceCaller('https://api.example.com', send) };
}

/** Runs in virtual time, which only responses and pauses advance. */
async function run(answers: Answers, subject = newSubject()) {
  const { service, sent } = serviceOf(answers);
  const running = runCanary(service, subject).catch((error: Error) => error.message);
  await jest.runAllTimersAsync();
  return { outcome: await running, sent };
}

beforeEach(() => {
  jest.useFakeTimers({ now: start, doNotFake: ['nextTick'] });
});
afterEach(() => {
  jest.useRealTimers();
});

test('the canary reads, blocks for 45 s, sees the block, waits for it in the feed, and measures each', async () => {
  const { outcome, sent } = await run({ feed: [[other], [other, block]] });
  const until = new Date(start.getTime() + 15 + 45_000).toISOString();
  expect(sent).toEqual([
    [0, 'GET /access?limit=1'],
    [5, 'GET /users/canary/access'],
    [15, 'PUT /users/canary/access', { status: 'disabled', reason: 'canary', until }],
    [35, 'GET /users/canary/access'],
    [45, 'GET /changes?after=now&limit=100'],
    [285, 'GET /changes?after=cursor-1&limit=100'],
  ]);
  expect(outcome).toEqual({
    CanaryGetMilliseconds: 10,
    CanaryPutMilliseconds: 20,
    CanaryFeedMilliseconds: 40,
    CanaryBlockToFeedMilliseconds: 290,
  });
});

test('the next run continues in the feed where the last one ended', async () => {
  const subject = newSubject();
  await run({}, subject);
  const { sent } = await run({}, subject);
  expect(sent.map(([, request]) => request)).toEqual([
    'GET /users/canary/access',
    'PUT /users/canary/access',
    'GET /users/canary/access',
    'GET /changes?after=cursor-1&limit=100',
  ]);
});

test.each<[string, Answers, string]>([
  ['a blocked user still has access', { status: 'enabled' }, 'a blocked user still has access'],
  ['a block changes nothing', { changeId: null }, 'the block changed nothing'],
])('it is a failure of the canary that %s, and the feed is not asked', async (_, answers, message) => {
  const { outcome, sent } = await run(answers);
  expect(outcome).toBe(message);
  expect(sent).toHaveLength(4);
});

test('a block that is not in the feed within 20 s is a failure of the canary', async () => {
  times.feed = 0;
  const { outcome, sent } = await run({ feed: [[other]] });
  times.feed = 40;
  expect(outcome).toBe('the block is not in the feed');
  const asked = sent.slice(4).map(([at]) => at - 45);
  expect([asked.length, asked[1], asked.at(-1)]).toEqual([101, 200, 20_000]);
});
