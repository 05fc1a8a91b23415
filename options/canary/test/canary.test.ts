import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { type FakeAws, startFakeAws } from '#test/support/fake-aws.ts';
import { operator, startSources, type TestService } from '#test/support/start-service.ts';

const id = 'canary-eu-central-1';
const context = {
  awsRequestId: 'run',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:issue-canary-key',
  getRemainingTimeInMillis: () => 12_000,
};

let service: TestService;
let aws: FakeAws;
let keysAsked = 0;
beforeAll(async () => {
  service = await startSources();
  aws = await startFakeAws(async () => {
    keysAsked++;
    return (await import('../functions/issue-canary-key.ts')).handler({}, context as never);
  });
  Object.assign(process.env, {
    API_URL: `${service.url}/`,
    KEY_FUNCTION: 'key-function',
    CANARY_ID: id,
  });
});
afterAll(async () => {
  await aws.stop();
  await service.stop();
});

/** Runs as a new process would, without a cached key; returns the logged errors. */
async function runOnce(): Promise<readonly unknown[]> {
  jest.resetModules();
  const { log } = await import('#shared/core/telemetry.ts');
  const logged = jest.spyOn(log, 'error');
  const { handler } = await import('../functions/run-canary.ts');
  await handler();
  return logged.mock.calls.map(([message]) => message);
}

describe('the canary', () => {
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    process.env.POWERTOOLS_METRICS_DISABLED = 'false';
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.env.POWERTOOLS_METRICS_DISABLED = 'true';
  });
  const published = () =>
    written.filter((line) => line.startsWith('{"_aws"') && line.includes('Canary')).map((line) => JSON.parse(line));

  test('creates its application and its user, blocks the user, and measures how long everything takes', async () => {
    await runOnce();
    const milliseconds = expect.any(Number);
    expect(published()).toEqual([
      expect.objectContaining({
        CanaryFailures: 0,
        CanaryGetMilliseconds: milliseconds,
        CanaryPutMilliseconds: milliseconds,
        CanaryFeedMilliseconds: milliseconds,
        CanaryBlockToFeedMilliseconds: milliseconds,
      }),
    ]);
    const access = (await service.items()).get(`USER#${id} ACCESS#${id}`);
    expect(access).toMatchObject({ status: 'disabled', reason: 'canary' });
    // The block expires before the next run, which again finds the user enabled.
    const left = Date.parse(String(access?.until)) - Date.now();
    expect(left > 0 && left <= 45_000).toBe(true);
  });

  test('gets the same key each time, and its secret appears in neither the table nor the log', async () => {
    const asked = keysAsked;
    await runOnce();
    expect(keysAsked).toBe(asked + 1);
    const items = await service.items();
    expect(Object.keys(Object(items.get(`APP#${id} APP`)).keys)).toHaveLength(1);
    expect(JSON.stringify([...items]) + written.join('')).not.toContain('svs_');
  });

  test('asks for another key after one was revoked', async () => {
    const { listKeys } = await import('#shared/domain/api-key/owned-keys.ts');
    const { revokeKey } = await import('#shared/domain/api-key/manage-keys.ts');
    const list = () => listKeys({ appId: id as AppId, limit: 10, cursor: undefined });
    const [key] = (await list()).items;
    const { handler } = await import('../functions/run-canary.ts');
    await revokeKey({ appId: id as AppId, keyId: key?.keyId ?? '' }, operator);
    await handler();
    await handler();
    expect(published().map(({ CanaryFailures }) => CanaryFailures)).toEqual([1, 0]);
    expect((await list()).items).toHaveLength(2);
  });

  test.each([['the service is unreachable', 'http://127.0.0.1:9']])(
    'counts a failure when %s, and logs it',
    async (_, url) => {
      process.env.API_URL = url;
      expect(await runOnce()).toEqual(['The canary has failed']);
      process.env.API_URL = service.url;
      expect(published()).toEqual([expect.objectContaining({ CanaryFailures: 1 })]);
      expect(JSON.stringify(published())).not.toContain('Milliseconds');
    },
  );
});
