import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Sha256 as SdkSha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsClientOptions } from '#shared/core/aws-client.ts';

const Sha256 = awsClientOptions.sha256;
const bytes = (text: string) => new TextEncoder().encode(text);

describe("the clients' SHA-256", () => {
  test.each([
    ['without a secret', undefined],
    ['with a text as its secret', 'AWS4test-secret'],
    ['with bytes as its secret', bytes('test key')],
  ])('SHA-256 %s has the same result as the SDK’s', async (_, secret) => {
    for (const chunks of [[], ['one'], ['one', 'two', 'ü']]) {
      const [ours, sdks] = [new Sha256(secret), new SdkSha256(secret)];
      for (const chunk of chunks) {
        ours.update(bytes(chunk));
        sdks.update(bytes(chunk));
      }
      expect(Buffer.from(await ours.digest())).toEqual(Buffer.from(await sdks.digest()));
    }
  });

  test('SHA-256 separates secrets, and starts again after a reset', async () => {
    const digests = await Promise.all(
      ['one', 'two', 'one'].map(async (secret) => {
        const sha256 = new Sha256(bytes(secret));
        sha256.update(bytes('forgotten'));
        sha256.reset();
        sha256.update(bytes('text'));
        return Buffer.from(await sha256.digest()).toString('hex');
      }),
    );
    expect(digests[0]).toBe(digests[2]);
    expect(digests[0]).not.toBe(digests[1]);
  });

  test('signs AWS requests with the same result as the SDK’s SHA-256, repeatedly', async () => {
    const signature = async (sha256: typeof SdkSha256 | typeof Sha256) => {
      const credentials = { accessKeyId: 'test', secretAccessKey: 'test-secret', sessionToken: 'test-token' };
      const signer = new SignatureV4({ service: 'dynamodb', region: 'eu-west-1', credentials, sha256 });
      const headers = { host: 'dynamodb.eu-west-1.amazonaws.com', 'x-amz-target': 'DynamoDB_20120810.BatchGetItem' };
      const request = new HttpRequest({ method: 'POST', path: '/', headers, body: '{"RequestItems":{}}' });
      const signed = await signer.sign(request, { signingDate: new Date('2026-01-01T00:00:00Z') });
      return signed.headers.authorization;
    };
    const sdks = await signature(SdkSha256);
    expect(sdks).toMatch(/Signature=[0-9a-f]{64}$/);
    expect([await signature(Sha256), await signature(Sha256)]).toEqual([sdks, sdks]);
  });
});

describe('the body of a response', () => {
  const answered = async (write: (response: ServerResponse) => void): Promise<Uint8Array> => {
    const server = createServer((_, response) => write(response.writeHead(200, { 'content-length': 6 })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const received = new Promise<IncomingMessage>((resolve) => get(`http://127.0.0.1:${port}`, resolve));
    return awsClientOptions.streamCollector(await received).finally(() => server.close());
  };

  test('is assembled from its parts', async () => {
    const bytes = await answered((response) => {
      response.write('one');
      setImmediate(() => response.end('two'));
    });
    expect(Buffer.from(bytes).toString()).toBe('onetwo');
  });

  test('causes an error if interrupted', async () => {
    const cutOff = answered((response) => response.write('one', () => response.destroy()));
    await expect(cutOff).rejects.toThrow('aborted');
  });
});

test('the clients have no logger for which the SDK would prepare each request', () => {
  expect(Object.keys(awsClientOptions.logger)).not.toContain('info');
});
