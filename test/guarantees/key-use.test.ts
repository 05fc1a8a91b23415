import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { currentSignal } from '#shared/core/clock.ts';
import { log } from '#shared/core/telemetry.ts';
import { describeService } from '../support/describe-service.ts';
import type { Key } from '../support/send-request.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
let key: Key;
beforeAll(async () => {
  sdk = await watchServiceTable();
});
beforeEach(async () => {
  key = await service.issueKey('billing', ['access:read', 'access:write']);
  sdk.requests.length = 0;
});
afterEach(() => {
  sdk.fault = undefined;
  jest.restoreAllMocks();
});

const access = '/api/service/users/ada/access';
const read = () => service.request(['GET', access], { key });

/** Blocks each record of a use until its request is answered and then until `released`; aborts like the SDK. */
function outlastAnswers(released: Promise<unknown> = Promise.resolve()): void {
  sdk.fault = async ({ command }, send) => {
    if (command !== 'UpdateItemCommand') return send();
    await new Promise((resolve) => currentSignal()?.addEventListener('abort', resolve));
    await released;
    throw Object.assign(new Error('Request aborted'), { name: 'AbortError' });
  };
}

const records = () => sdk.requests.filter(({ command }) => command === 'UpdateItemCommand');

describe('the last use of a key', () => {
  test('the last use of a key is recorded once per process and day, in a separate item', async () => {
    expect((await read()).status).toBe(200);
    expect(sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand', 'UpdateItemCommand']);
    await recordKeyUse(sdk, read);
    sdk.requests.length = 0;
    for (let n = 0; n < 2; n++) expect((await read()).status).toBe(200);
    expect(sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand', 'BatchGetItemCommand']);
    const today = new Date().toISOString().slice(0, 10);
    const item = { pk: 'APP#billing', sk: `KEYUSE#${key.keyId}`, lastUsedOn: today };
    expect((await service.items({ keyUses: true })).get(`APP#billing KEYUSE#${key.keyId}`)).toEqual(item);
  });

  test('a write also records the last use of a key', async () => {
    await service.request(['PUT', access], { key, body: { status: 'enabled' } });
    expect(records()).toHaveLength(1);
  });

  test('the last use of a key is not recorded for a forged signature', async () => {
    const forged = await service.request(['GET', access], { key: { ...key, secret: 'svs_guessed' } });
    expect([forged.status, records()]).toEqual([401, []]);
  });

  test('a last use that cannot be recorded neither fails the request nor is retried', async () => {
    sdk.fault = async ({ command }, send) => {
      if (command === 'UpdateItemCommand') throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
      return send();
    };
    expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(200);
    expect(records()).toHaveLength(1);
  });

  test('twenty concurrent requests to a new process record the last use once without a warning, even if the first record is aborted', async () => {
    const warn = jest.spyOn(log, 'warn').mockReturnValue();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    outlastAnswers(released);
    const answers = await Promise.all(Array.from({ length: 20 }, read));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(records()).toHaveLength(1);
    sdk.fault = undefined;
    release();
    await released;
    await read();
    expect(warn).not.toHaveBeenCalled();
    expect((await service.items({ keyUses: true })).has(`APP#billing KEYUSE#${key.keyId}`)).toBe(true);
  });

  test('a last use that three consecutive requests could not record is given up for the day with one warning', async () => {
    const warn = jest.spyOn(log, 'warn').mockReturnValue();
    outlastAnswers();
    for (let n = 0; n < 5; n++) expect((await read()).status).toBe(200);
    expect(records()).toHaveLength(3);
    const { keyId } = key;
    expect(warn.mock.calls).toEqual([['The use of a key was not recorded', { keyId, reason: expect.any(String) }]]);
  });

  test('recording the last use delays a response by at most 100 ms', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    sdk.fault = async ({ command }, send) => {
      if (command === 'UpdateItemCommand') await held;
      return send();
    };
    // The record of the use never completes, but the request is answered.
    expect((await read()).status).toBe(200);
    release();
  });
});
