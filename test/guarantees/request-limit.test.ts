import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { newApplication } from '../support/new-application.ts';
import type { Answer, Key, RequestOptions } from '../support/send-request.ts';
import { operator, startSources, type TestService } from '../support/start-service.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const access = '/api/service/users/ada/access';
let service: TestService;
let sdk: WatchedSdk;
let appId: string;
let key: Key;
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
});
afterAll(async () => {
  jest.useRealTimers();
  await service.stop();
});
/** Each test has its own application, which this process has known for some seconds. */
beforeEach(async () => {
  setTime(Date.now());
  appId = await newApplication();
  key = await service.issueKey(appId, ['access:read', 'access:write']);
  await read();
  pass(10_000);
  sdk.requests.length = 0;
});
afterEach(() => {
  sdk.fault = undefined;
});

const read = (options: RequestOptions = {}) => service.request(['GET', access], { key, ...options });
const sent = () => sdk.requests.map(({ command }) => command);
const reads = () => sent().filter((command) => command === 'BatchGetItemCommand').length;
const settlements = () => sent().filter((command) => command === 'UpdateItemCommand').length;

describe('above the limit of an application', () => {
  test('some requests get 429 with the time to wait, and send no request to the table', async () => {
    await limit(5);
    const answers = await readOften(100);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(answers.length - refused.length);
    expect(reads()).toBe(answers.length - refused.length);
    for (const { body, headers } of refused) {
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(5);
      expect(body).toMatchObject({
        code: 'too_many_requests',
        detail: `The application sends more than its limit of 5 requests per second. Try again in ${seconds} s.`,
      });
      expect(headers['ratelimit-policy']).toBe('"app";q=25;w=5');
      expect(headers.ratelimit).toBe(`"app";r=0;t=${seconds}`);
    }
    // Spread, so that they do not all retry at once.
    expect(new Set(refused.map(({ headers }) => headers['retry-after'])).size).toBeGreaterThan(1);
  });

  test('other applications are served in full', async () => {
    await limit(1);
    const [, others] = await Promise.all([readOften(40), readOften(40, service.wikiKey)]);
    expect(others.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('writes are refused too, without effect, and accepted later', async () => {
    await limit(1);
    await readOften(200);
    const version = async () => Number((await itemOf(['USER#ada', `ACCESS#${appId}`]))?.version ?? 0);
    let before = 0;
    // Some are accepted, so each sets a different status than the previous one.
    const put = async () => {
      before = await version();
      return service.request(['PUT', access], { key, body: { status: before % 2 === 0 ? 'disabled' : 'enabled' } });
    };
    const refused = await until(put, ({ status }) => status === 429);
    expect([refused.status, await version()]).toEqual([429, before]);
    pass(70_000);
    expect((await put()).status).toBe(200);
    expect(await version()).toBe(before + 1);
  });

  test('requests of other processes count', async () => {
    await limit(50);
    await read();
    await addToTotals(100_000);
    pass(5_001);
    await read();
    const answers = await readOften(40);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(30);
  });

  test('a removed limit takes effect with the next accepted request', async () => {
    await limit(5);
    await readOften(30);
    await limit(null);
    await until(read, ({ status }) => status === 200);
    const answers = await readOften(30);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('a settlement', () => {
  test('takes one ADD per window near the limit, in the same request as a read', async () => {
    await limit(5);
    for (let window = 0; window < 3; window++) {
      await readOften(20);
      pass(5_001);
    }
    expect(settlements()).toBe(3);
    // Two earlier ones, and all except those since the last settlement, accepted or not.
    expect(await totals()).toMatchObject({ requests: 2 + 41, restingRequests: 0, ttl: expect.any(Number) });
    const [settled] = sdk.requests.filter(({ command }) => command === 'UpdateItemCommand');
    expect(settled?.input.UpdateExpression).toContain('ADD');
  });

  test('is sent concurrently with the read of its request', async () => {
    await limit(50);
    await read();
    pass(5_001);
    sdk.requests.length = 0;
    const { promise: both, resolve } = Promise.withResolvers<void>();
    sdk.fault = async (_, send) => {
      // Neither is forwarded before the other one has started.
      if (sdk.requests.length === 2) resolve();
      await both;
      return send();
    };
    expect((await read()).status).toBe(200);
    expect(sent().sort()).toEqual(['BatchGetItemCommand', 'UpdateItemCommand']);
  });

  test('delays the response by at most 100 ms', async () => {
    await limit(5);
    await readOften(10);
    pass(5_001);
    sdk.requests.length = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    sdk.fault = async ({ command }, send) => {
      if (command === 'UpdateItemCommand') await held;
      return send();
    };
    // The settlement never completes, but the request is answered.
    expect([200, 429]).toContain((await read()).status);
    expect(settlements()).toBe(1);
    release();
  });

  test('does not fail the request when it fails', async () => {
    await limit(50);
    sdk.fault = async ({ command }, send) => {
      if (command === 'UpdateItemCommand') throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
      return send();
    };
    for (let window = 0; window < 3; window++) {
      expect((await readOften(5)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      pass(5_001);
    }
    expect(settlements()).toBe(3);
  });

  test('is not sent for an application far from its limit or without one', async () => {
    for (const requestsPerSecond of [100_000, null]) {
      await limit(requestsPerSecond);
      await readAndPass(6);
      expect([reads(), settlements()]).toEqual([7, 0]);
    }
    expect(await totals()).toBeUndefined();
  });

  test('is sent twice, then every thirty seconds, for an application far below its limit that may have many processes', async () => {
    await limit(300);
    await readAndPass(24);
    expect(settlements()).toBeGreaterThanOrEqual(4);
    expect(settlements()).toBeLessThanOrEqual(6);
    expect(Number((await totals())?.restingRequests)).toBeGreaterThan(0);
  });

  test('a forged request is not counted, and sends no request to the table', async () => {
    await limit(2);
    sdk.requests.length = 0;
    pass(70_000);
    for (let n = 0; n < 50; n++) expect((await read({ signing: { secret: 'svs_guessed' } })).status).toBe(401);
    expect(sent()).toEqual([]);
    expect((await read()).status).toBe(200);
  });
});

/** Sets the limit, which takes effect for the process with its next read. */
async function limit(requestsPerSecond: number | null): Promise<void> {
  const { updateApplication } = await import('#shared/domain/application/applications.ts');
  await updateApplication({ appId: appId as AppId, requestsPerSecond }, operator);
  if (requestsPerSecond !== null) await read();
  sdk.requests.length = 0;
}

async function readOften(times: number, by = key): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < times; n++) answers.push(await read({ key: by } as RequestOptions));
  return answers;
}

/** Reads at the start of each of this many windows, and once after them. */
async function readAndPass(windows: number): Promise<void> {
  for (let window = 0; window < windows; window++) {
    await read();
    pass(5_001);
  }
  await read();
}

async function until(ask: () => Promise<Answer>, holds: (answer: Answer) => boolean): Promise<Answer> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const answer = await ask();
    if (holds(answer)) return answer;
  }
  throw new Error('The condition was never met');
}

async function itemOf([pk, sk]: readonly [string, string]) {
  return (await service.items()).get(`${pk} ${sk}`);
}

async function totals(): Promise<Record<string, unknown> | undefined> {
  const all = await service.items();
  return [...all].find(([name]) => name.startsWith(`RATE#${appId} `))?.[1];
}

async function addToTotals(requests: number): Promise<void> {
  const { countRequests } = await import('#shared/table/items/application-item.ts');
  await countRequests(appId as AppId, { requests, restingRequests: 0 });
  sdk.requests.length = 0;
}

/** Fakes only the date, which then does not advance: HTTP requests need real timers. */
function setTime(time: number): void {
  jest.useFakeTimers({
    now: time,
    doNotFake: [
      'nextTick',
      'setImmediate',
      'setInterval',
      'setTimeout',
      'clearTimeout',
      'clearInterval',
      'queueMicrotask',
    ],
  });
}

function pass(milliseconds: number): void {
  setTime(Date.now() + milliseconds);
}
