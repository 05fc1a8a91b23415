import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { deriveSecret, type KeyIdParts } from '#shared/keys/key-id.ts';

const localRoot = `k1=local:${Buffer.alloc(32, 1).toString('base64')}`;
const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
let server: Server;
let requests: Record<string, string>[] = [];
let failing = false;
let withoutMac = false;
/** Called in place of an answer: the request stays open. */
let onUnanswered: (() => void) | undefined;

/** A stand-in for KMS's wire protocol: the real SDK calls it. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    requests.push({ target: String(request.headers['x-amz-target']), ...body });
    if (onUnanswered !== undefined) return onUnanswered();
    if (failing) return response.writeHead(400).end(JSON.stringify({ __type: 'KMSInvalidStateException' }));
    if (withoutMac) return response.writeHead(200).end(JSON.stringify({ KeyId: body.KeyId }));
    const mac = createHmac('sha256', 'inside KMS').update(Buffer.from(body.Message, 'base64')).digest('base64');
    return response
      .writeHead(200)
      .end(JSON.stringify({ KeyId: body.KeyId, MacAlgorithm: body.MacAlgorithm, Mac: mac }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.AWS_ENDPOINT_URL_KMS = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  requests = [];
  failing = false;
  withoutMac = false;
  onUnanswered = undefined;
  delete process.env.AWS_EXECUTION_ENV;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function coldStart(rootKeys: string): Promise<typeof import('#shared/keys/root-keys.ts')> {
  process.env.ROOT_KEYS = rootKeys;
  jest.resetModules();
  return import('#shared/keys/root-keys.ts');
}

test('root keys come from one GenerateMac per version, started before the first request', async () => {
  const { latestRootVersion, rootKey } = await coldStart(`k1=${arn},k2=${arn}`);
  expect(latestRootVersion('k')).toBe('k2');
  const [one, again, two] = await Promise.all([rootKey('k1'), rootKey('k1'), rootKey('k2')]);
  expect(one?.export()).toEqual(createHmac('sha256', 'inside KMS').update('auth-service/root/k1').digest());
  expect(again).toBe(one);
  expect(two?.equals(one as NonNullable<typeof one>)).toBe(false);
  expect(requests).toHaveLength(2);
  expect(requests).toContainEqual({
    target: 'TrentService.GenerateMac',
    KeyId: arn,
    MacAlgorithm: 'HMAC_SHA_256',
    Message: Buffer.from('auth-service/root/k1').toString('base64'),
  });
});

test('root keys are requested while the module loads, without waiting for a request', async () => {
  await coldStart(`k1=${arn},k2=${arn}`);
  for (let waits = 0; requests.length < 2 && waits < 500; waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(requests.map(({ Message = '' }) => Buffer.from(Message, 'base64').toString()).sort()).toEqual([
    'auth-service/root/k1',
    'auth-service/root/k2',
  ]);
});

test('root keys are the same in every Region: the KMS message does not name the key, and its copies respond identically', async () => {
  const inRegion = async (region: string) => {
    const { rootKey } = await coldStart(
      `k1=arn:aws:kms:${region}:111122223333:key/mrk-1234abcd12ab34cd56ef1234567890ab`,
    );
    return (await rootKey('k1'))?.export();
  };
  expect(await inRegion('eu-central-1')).toEqual(await inRegion('eu-west-1'));
  expect(new Set(requests.map(({ Message }) => Message)).size).toBe(1);
  expect(new Set(requests.map(({ KeyId }) => KeyId)).size).toBe(2);
});

test('a missing root key gives 503, and the next request asks KMS again', async () => {
  failing = true;
  const { rootKey } = await coldStart(`k1=${arn}`);
  await expect(rootKey('k1')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'unavailable: The key service did not respond. Try again.',
    cause: { name: 'KMSInvalidStateException' },
  });
  failing = false;
  await expect(rootKey('k1')).resolves.toBeDefined();
  expect(requests.length).toBeGreaterThanOrEqual(2);
});

test('a request past its deadline does not ask KMS, but the next one does', async () => {
  failing = true;
  const { rootKey } = await coldStart(`k1=${arn}`);
  await expect(rootKey('k1')).rejects.toMatchObject({ code: 'unavailable' });
  [requests, failing] = [[], false];
  const { runUntil } = await import('#shared/core/clock.ts');
  const afterFreeze = runUntil(Date.now() + 5000, () => {
    // As after a freeze: the clock has advanced, but no timer has fired.
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'],
      now: Date.now() + 5000,
    });
    return rootKey('k1');
  });
  await expect(afterFreeze).rejects.toMatchObject({ code: 'unavailable' });
  jest.useRealTimers();
  expect(requests).toEqual([]);
  await expect(runUntil(Date.now() + 5000, () => rootKey('k1'))).resolves.toBeDefined();
});

test('a call to KMS is aborted when the request that needs it has been answered', async () => {
  failing = true;
  const { rootKey } = await coldStart(`k1=${arn}`);
  await expect(rootKey('k1')).rejects.toMatchObject({ code: 'unavailable' });
  const { runUntil } = await import('#shared/core/clock.ts');
  const isAsked = new Promise<void>((resolve) => {
    onUnanswered = resolve;
  });
  let failure: Promise<unknown> | undefined;
  await runUntil(Date.now() + 60_000, async () => {
    failure = rootKey('k1').catch((error: unknown) => error);
    await isAsked;
  });
  await expect(failure).resolves.toMatchObject({ code: 'unavailable', cause: { name: 'AbortError' } });
});

test('a missing root key is counted', async () => {
  failing = true;
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const { rootKey } = await coldStart(`k1=${arn}`);
    await expect(rootKey('k1')).rejects.toMatchObject({ code: 'unavailable' });
    const metrics = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(metrics).toContainEqual(expect.objectContaining({ RootKeyFailures: 1 }));
  } finally {
    write.mockRestore();
    process.env.POWERTOOLS_METRICS_DISABLED = 'true';
  }
});

test('KMS is not asked for the root key of an unknown version', async () => {
  const { rootKey } = await coldStart(localRoot);
  await expect(rootKey('k9')).resolves.toBeUndefined();
  expect(requests).toEqual([]);
});

test('a local root key is refused on Lambda', async () => {
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  await expect(coldStart(localRoot)).rejects.toThrow('local roots are not allowed on Lambda');
});

test.each([
  'k7',
  'k1=alias/root',
  `k1=local:${'A'.repeat(12)}=`,
  `${arn}`,
  `xk1=${arn}`,
  `k1=${arn} x`,
  `k0=${arn}`,
  `k12345=${arn}`,
])('invalid ROOT_KEYS prevent the start without being shown: %s', async (rootKeys) => {
  const failure = await coldStart(rootKeys).catch((error: Error) => error.message);
  expect(failure).toContain('ROOT_KEYS must list');
  expect(failure).not.toContain(rootKeys);
});

test('a local root key is the 32 bytes of its base64', async () => {
  const { latestRootVersion, rootKey } = await coldStart(localRoot);
  expect(latestRootVersion('k')).toBe('k1');
  expect((await rootKey('k1'))?.export()).toEqual(Buffer.alloc(32, 1));
  expect(requests).toEqual([]);
});

test('a KMS response without a MAC gives 503', async () => {
  withoutMac = true;
  const { rootKey } = await coldStart(`k1=${arn}`);
  await expect(rootKey('k1')).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: 'KMS returned no MAC' },
  });
});

test('ROOT_KEYS can have spaces around its entries and versions up to k9999', async () => {
  const { latestRootVersion } = await coldStart(` ${localRoot} , ${localRoot.replace('k1', 'k9999')} `);
  expect(latestRootVersion('k')).toBe('k9999');
});

describe('each purpose', () => {
  const entry = (version: string) => localRoot.replace('k1', version);

  test('has its own versions, of which the last derives what is new', async () => {
    const { latestRootVersion, rootVersionsFor } = await coldStart(['k1', 'h1', 'h2', 'k2', 'w7'].map(entry).join());
    expect(['k', 'h', 'w'].map(rootVersionsFor)).toEqual([['k1', 'k2'], ['h1', 'h2'], ['w7']]);
    expect(['k', 'h', 'w'].map(latestRootVersion)).toEqual(['k2', 'h2', 'w7']);
  });

  test('is served by the roots of API keys in a deployment that has none for it yet', async () => {
    const { latestRootVersion, rootVersionsFor } = await coldStart(['k1', 'k2'].map(entry).join());
    expect([rootVersionsFor('h'), latestRootVersion('w')]).toEqual([['k1', 'k2'], 'k2']);
  });

  test('derives nothing without a root, rather than from that of another purpose', async () => {
    const { latestRootVersion } = await coldStart(entry('c1'));
    expect(() => latestRootVersion('k')).toThrow('ROOT_KEYS lists no root for the purpose k');
    expect(() => latestRootVersion('w')).toThrow('ROOT_KEYS lists no root for the purpose w');
  });

  test('accepts what was derived from its roots or from those of API keys, and from no others', async () => {
    const { rootFor } = await coldStart(['k1', 'h1', 'c1', 'w1'].map(entry).join());
    const usable = async (version: string) => (await rootFor('c', version)) !== undefined;
    expect(await Promise.all(['c1', 'k1'].map(usable))).toEqual([true, true]);
    expect(await Promise.all(['h1', 'w1', 'c2', ''].map(usable))).toEqual([false, false, false, false]);
  });
});

function keyOf(number: number, rootVersion = 'k1'): KeyIdParts {
  const keyId = `svk_${rootVersion}_billing_${String(number).padStart(26, '0')}` as KeyId;
  return { keyId, rootVersion, appId: 'billing' as AppId };
}

function anyKey(): KeyObject {
  return createSecretKey(Buffer.alloc(32, 9));
}

test('the MAC key of a key id is its derived secret', async () => {
  const { macKey } = await coldStart(localRoot);
  const secret = deriveSecret(createSecretKey(Buffer.alloc(32, 1)), keyOf(1).keyId);
  expect((await macKey(keyOf(1)))?.export().toString()).toBe(secret);
});

test('there is no MAC key for an unknown root version', async () => {
  const { macKey } = await coldStart(localRoot);
  await expect(macKey(keyOf(1, 'k2'))).resolves.toBeUndefined();
});

test('a MAC key is cached only on request, for its own key id', async () => {
  const { macKey, rememberMacKey } = await coldStart(localRoot);
  expect(await macKey(keyOf(1))).not.toBe(await macKey(keyOf(1)));
  const remembered = anyKey();
  rememberMacKey(keyOf(1).keyId, remembered);
  expect(await macKey(keyOf(1))).toBe(remembered);
  expect(await macKey(keyOf(2))).not.toBe(remembered);
});

test('a thousand MAC keys are cached, and one more evicts only the oldest', async () => {
  const { macKey, rememberMacKey } = await coldStart(localRoot);
  const remembered = anyKey();
  for (let number = 1; number <= 1000; number += 1) rememberMacKey(keyOf(number).keyId, remembered);
  expect(await macKey(keyOf(1))).toBe(remembered);
  rememberMacKey(keyOf(1001).keyId, remembered);
  expect(await macKey(keyOf(1))).not.toBe(remembered);
  expect(await macKey(keyOf(2))).toBe(remembered);
  expect(await macKey(keyOf(1001))).toBe(remembered);
});

test('a MAC key that is already cached evicts nothing and stays the same', async () => {
  const { macKey, rememberMacKey } = await coldStart(localRoot);
  const remembered = anyKey();
  for (let number = 1; number <= 1000; number += 1) rememberMacKey(keyOf(number).keyId, remembered);
  rememberMacKey(keyOf(1000).keyId, anyKey());
  expect(await macKey(keyOf(1))).toBe(remembered);
  expect(await macKey(keyOf(1000))).toBe(remembered);
});
