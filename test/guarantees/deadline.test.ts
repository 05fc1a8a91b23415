import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import { describeService } from '../support/describe-service.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newUser } from '../support/new-user.ts';
import { readHistory } from '../support/read-history.ts';
import { type SdkRequest, type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  sdk = await watchServiceTable();
});
afterEach(() => {
  sdk.fault = undefined;
  jest.useRealTimers();
});

/** Simulates a process that was frozen this long: the clock has advanced, but no timer has fired. */
function freeze(seconds: number): void {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'],
    now: Date.now() + seconds * 1000,
  });
}

/** Freezes the process once, during the first matching request. */
function freezeIn(isOne: (request: SdkRequest) => boolean, seconds: number): void {
  let isFrozen = false;
  sdk.fault = async (request, send) => {
    if (!isFrozen && isOne(request)) {
      isFrozen = true;
      const answer = await send();
      freeze(seconds);
      return answer;
    }
    return send();
  };
}

/** Loses the first responses to matching requests, each after this many seconds. */
function loseAnswers(isOne: (request: SdkRequest) => boolean, seconds: readonly number[]): void {
  const remaining = [...seconds];
  sdk.fault = async (request, send) => {
    const after = isOne(request) ? remaining.shift() : undefined;
    if (after === undefined) return send();
    freeze(after);
    throw Object.assign(new Error('injected'), { name: 'TimeoutError' });
  };
}

const isRead = ({ command }: SdkRequest) => command === 'BatchGetItemCommand';
const transactions = () => sdk.requests.filter(({ command }) => command === 'TransactWriteItemsCommand');

describe('a process that was frozen between reading and writing', () => {
  test.each([
    ['as long as an attempt may take', attemptSeconds],
    ['beyond the deadline of its request', 30],
  ])('a write is not sent by a process that was frozen %s', async (_, seconds) => {
    const userId = await newUser();
    sdk.requests.length = 0;
    freezeIn(isRead, seconds);
    const answer = await service.request(['PUT', `/api/service/users/${userId}/access`], {
      body: { status: 'disabled' },
    });
    expectProblem(answer, 'unavailable');
    expect(transactions()).toEqual([]);
    expect(await readHistory(service, userId)).toEqual([]);
  });

  test("the SDK sends no retry after the attempt's deadline", async () => {
    const userId = await newUser();
    sdk.requests.length = 0;
    loseAnswers((request) => request.command === 'TransactWriteItemsCommand', [attemptSeconds]);
    const { dynamoDb } = await import('#shared/table/dynamodb.ts');
    const handle = jest.spyOn(dynamoDb.config.requestHandler, 'handle');
    const answer = await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive' } });
    expectProblem(answer, 'unavailable');
    const sent = handle.mock.calls.map(([{ headers }]) => headers['x-amz-target']);
    expect(sent).toEqual(['DynamoDB_20120810.BatchGetItem']);
    handle.mockRestore();
  });
});

test('a read takes no longer than one attempt of a write', async () => {
  const get = () => service.request(['GET', '/api/service/users/ada/access']);
  loseAnswers(isRead, [attemptSeconds / 2, attemptSeconds / 2 - 1]);
  expect((await get()).status).toBe(200);
  jest.useRealTimers();
  loseAnswers(isRead, [attemptSeconds / 2, attemptSeconds / 2]);
  expectProblem(await get(), 'unavailable');
});

test('recording a key use is given up with its request, without a failure', async () => {
  const key = await service.issueKey('billing', ['access:read']);
  let isAborted: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => {
    isAborted = resolve;
  });
  sdk.fault = async (request, send) => {
    if (request.command !== 'UpdateItemCommand') return send();
    const { currentSignal } = await import('#shared/core/clock.ts');
    currentSignal()?.addEventListener('abort', () => isAborted?.());
    return new Promise(() => undefined);
  };
  expect((await service.request(['GET', '/api/service/users/ada/access'], { key })).status).toBe(200);
  await aborted;
});

describe('a snapshot', () => {
  test('a page of the snapshot ends early if the database is slow, and the next continues there', async () => {
    freezeIn(({ command }) => command === 'QueryCommand', 2);
    const first = await service.request(['GET', '/api/service/access']);
    expect(first).toMatchObject({ status: 200, body: { total: null, cursor: expect.any(String) } });
    const second = await service.request(['GET', `/api/service/access?after=${first.body.cursor}`]);
    expect(second).toMatchObject({ status: 200, body: { total: expect.any(Number), cursor: null } });
  });
});
