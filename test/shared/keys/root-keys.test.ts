import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';

const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
let server: Server;
let requests: Record<string, string>[] = [];
let failing = false;

/** A stand-in for KMS's wire protocol: the real SDK calls it. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    requests.push({ target: String(request.headers['x-amz-target']), ...body });
    if (failing) return response.writeHead(400).end(JSON.stringify({ __type: 'KMSInvalidStateException' }));
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
  delete process.env.AWS_EXECUTION_ENV;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function coldStart(rootKeys: string): Promise<typeof import('#shared/keys/root-keys.ts')> {
  process.env.ROOT_KEYS = rootKeys;
  jest.resetModules();
  return import('#shared/keys/root-keys.ts');
}

describe('root keys', () => {
  test('come from one GenerateMac per version, begun before the first request', async () => {
    const { latestRootVersion, rootKey } = await coldStart(`k1=${arn},k2=${arn}`);
    expect(latestRootVersion).toBe('k2');
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

  test('are the same in every Region, as what KMS is asked does not name the key and its copies give the same', async () => {
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

  test('that KMS did not give are 503, and are asked for again by the next request', async () => {
    failing = true;
    const { rootKey } = await coldStart(`k1=${arn}`);
    await expect(rootKey('k1')).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    await expect(rootKey('k1')).resolves.toBeDefined();
  });

  test('of a version that does not exist are not asked for', async () => {
    const { rootKey } = await coldStart(`k1=local:${Buffer.alloc(32, 1).toString('base64')}`);
    await expect(rootKey('k9')).resolves.toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('that are local are refused on Lambda', async () => {
    process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
    const local = `k1=local:${Buffer.alloc(32, 1).toString('base64')}`;
    await expect(coldStart(local)).rejects.toThrow('a local root is refused on Lambda');
  });

  test.each(['k7', 'k1=alias/root', `k1=local:${'A'.repeat(12)}=`, `${arn}`])(
    'that cannot be read stop the start without being named: %s',
    async (rootKeys) => {
      const failure = await coldStart(rootKeys).catch((error: Error) => error.message);
      expect(failure).toContain('ROOT_KEYS must list');
      expect(failure).not.toContain(rootKeys);
    },
  );
});
