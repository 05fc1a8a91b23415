import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { expectProblem } from '../support/expect-problem.ts';
import type { Key } from '../support/send-request.ts';
import { operator, startSources, type TestService } from '../support/start-service.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

// Set before any module reads it; round-trips.test.ts covers reads without the cache.
process.env.KEY_STATE_CACHE_SECONDS = '10';

const access = '/api/service/users/ada/access';
let service: TestService;
let sdk: WatchedSdk;
let key: Key;
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
});
afterAll(async () => {
  jest.useRealTimers();
  await service.stop();
  delete process.env.KEY_STATE_CACHE_SECONDS;
});

/**
 * Each test has a key that this process has just accepted and that expires before the next test, because keys are
 * limited.
 */
beforeEach(async () => {
  setTime(Date.now() + 60_000);
  await rollOut(100);
  key = await service.issueKey('billing', ['access:read', 'access:write'], inSeconds(50));
  await read();
  sdk.requests.length = 0;
});

describe('within the lifetime of the key state cache', () => {
  test('a read with a cached key requests only the user and the access', async () => {
    expect((await read()).status).toBe(200);
    expect(askedItems()).toEqual([['USER', 'ACCESS#billing']]);
  });

  test('a revoked key can still read while it is cached', async () => {
    await revoke(key);
    pass(9_000);
    expect((await read()).status).toBe(200);
  });

  test('a revoked key cannot write while it is cached', async () => {
    await revoke(key);
    expectProblem(await write(), 'key_revoked');
  });

  test('the access of a user is never cached', async () => {
    await service.request(['PUT', access], { body: { status: 'disabled' } });
    expect((await read()).body).toMatchObject({ effectiveStatus: 'disabled' });
    await service.request(['PUT', access], { body: { status: 'enabled' } });
    expect((await read()).body).toMatchObject({ effectiveStatus: 'enabled' });
  });

  test('a key that was issued after its application was cached is accepted', async () => {
    const newer = await service.issueKey('billing', ['access:read'], inSeconds(50));
    expect((await read(newer)).status).toBe(200);
    expect(askedItems()).toEqual(expect.arrayContaining([['APP', 'USER', 'ACCESS#billing']]));
  });

  test('a cached key expires exactly on time', async () => {
    const ending = await service.issueKey('billing', ['access:read'], inSeconds(5));
    expect((await read(ending)).status).toBe(200);
    pass(5_000);
    expectProblem(await read(ending), 'key_expired');
  });

  test('an application with a rollout below 100 is read with every request', async () => {
    await rollOut(0);
    pass(10_000);
    const shutOut = { effectiveStatus: 'disabled', decidedBy: 'rollout' };
    for (let reads = 0; reads < 2; reads++) expect((await readGrace()).body).toMatchObject(shutOut);
    const withApplication = ['APP', 'USER', 'ACCESS#billing'];
    expect(askedItems()).toEqual([withApplication, withApplication]);
    await rollOut(99.99);
    expect((await readGrace()).body).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'rollout' });
    await rollOut(100);
    expect((await readGrace()).body).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'default' });
  });

  test('a rollout lowered from 100 takes effect after the lifetime of the cache', async () => {
    await rollOut(0);
    pass(9_000);
    expect((await readGrace()).body).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'default' });
    pass(1_000);
    expect((await readGrace()).body).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'rollout' });
  });

  test('a forged signature is refused without a request to the table while its key is cached', async () => {
    expectProblem(await read({ ...key, secret: 'svs_guessed' }), 'signature_mismatch', {
      signatureBase: expect.any(String),
    });
    expect(sdk.requests).toEqual([]);
  });
});

describe('after the lifetime of the key state cache', () => {
  test('a revoked key is refused after the lifetime of the cache, however often it was used before', async () => {
    await revoke(key);
    for (let second = 0; second < 9; second++) {
      pass(1_000);
      expect((await read()).status).toBe(200);
    }
    pass(1_000);
    expectProblem(await read(), 'key_revoked');
  });

  test('the application is read again after the lifetime of the cache, and cached again', async () => {
    pass(10_000);
    await read();
    await read();
    expect(askedItems()).toEqual([
      ['APP', 'USER', 'ACCESS#billing'],
      ['USER', 'ACCESS#billing'],
    ]);
  });

  test('the key of a deleted application is refused after the lifetime of the cache', async () => {
    const { createApplication } = await import('#shared/domain/application/applications.ts');
    const { deleteApplication } = await import('#shared/domain/application/delete-application.ts');
    await createApplication({ appId: 'shop' as AppId, name: 'Shop' }, operator);
    const shopKey = await service.issueKey('shop', ['access:read']);
    expect((await read(shopKey)).status).toBe(200);
    await deleteApplication({ appId: 'shop' as AppId, force: true }, operator);
    pass(10_000);
    expectProblem(await read(shopKey), 'key_revoked');
  });
});

test('a cached application is read again when the clock was set back', async () => {
  pass(-60_000);
  await read();
  expect(askedItems()).toEqual([['APP', 'USER', 'ACCESS#billing']]);
});

function read(by = key) {
  return service.request(['GET', access], { key: by });
}

/** Reads a user without settings, whose bucket is below 99.99 %. */
function readGrace() {
  return service.request(['GET', '/api/service/users/grace/access'], { key });
}

function write() {
  return service.request(['PUT', access], { key, body: { status: 'enabled' } });
}

/** Returns the sort keys that each read requests. */
function askedItems(): string[][] {
  const reads = sdk.requests.filter(({ command }) => command === 'BatchGetItemCommand');
  return reads.map(({ input }) =>
    Object.values<{ Keys: { sk: { S: string } }[] }>(input.RequestItems).flatMap(({ Keys }) =>
      Keys.map(({ sk }) => sk.S),
    ),
  );
}

async function revoke({ keyId }: Key): Promise<void> {
  const { revokeKey } = await import('#shared/domain/api-key/manage-keys.ts');
  await revokeKey({ appId: 'billing' as AppId, keyId }, operator);
  sdk.requests.length = 0;
}

async function rollOut(rolloutPercent: number): Promise<void> {
  const { updateApplication } = await import('#shared/domain/application/applications.ts');
  await updateApplication({ appId: 'billing' as AppId, rolloutPercent }, operator);
  sdk.requests.length = 0;
}

/** Fakes only the date: HTTP requests need real timers. */
function setTime(now: number): void {
  jest.useFakeTimers({
    now,
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

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

function pass(milliseconds: number): void {
  jest.setSystemTime(Date.now() + milliseconds);
}
