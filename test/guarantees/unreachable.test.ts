import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KeyId } from '#shared/contract/fields.ts';
import { serveHttpApi } from '../../local/http-api.ts';
import { createFunction } from '../../local/lambda-function.ts';
import { readStack } from '../../local/read-stack.ts';
import { hydraPayload, oktaPayload } from '../support/hook-payloads.ts';
import { sendSigned } from '../support/send-request.ts';
import { sendWithToken } from '../support/send-with-token.ts';

const tableName = process.env.TABLE_NAME ?? '';
const environment = { ROOT_KEYS: process.env.ROOT_KEYS ?? '' };
const keyId = 'svk_k1_billing_01JD0000000000000000000000' as KeyId;

let silent: Server;
const sockets = new Set<Socket>();
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  // Accepts connections and never answers, like a network that drops packets.
  silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const stop of stops) await stop();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

/** The API of the deployed bundles, whose table never answers. */
async function startApi() {
  const { functions, routes } = readStack(process.env.TEST_ASSEMBLY ?? '', { tableName });
  const dynamodb = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const running = new Map(
    functions.map((model) => [model.logicalId, createFunction(model, { dynamodb, environment })]),
  );
  for (const { close } of running.values()) stops.push(close);
  const invoke = async (id: string, event: unknown) =>
    (await running.get(id)?.invoke(event)) ?? { kind: 'failed' as const };
  const api = await serveHttpApi({ routes, port: 0, invoke });
  stops.push(api.close);
  const { rootKey } = await import('#shared/keys/root-keys.ts');
  const root = await rootKey('k1');
  if (root === undefined) throw new Error('The tests have a root');
  return { api, root };
}

test('every endpoint answers 503 within its timeout, and never 401, if DynamoDB never answers', async () => {
  const { api, root } = await startApi();
  const { deriveSecret } = await import('#shared/keys/key-id.ts');
  const key = { keyId, secret: deriveSecret(root, keyId) };

  const requests = [
    ['GET', '/api/service/users/ada/access', undefined],
    ['PUT', '/api/service/users/ada/access', { status: 'disabled' }],
    ['POST', '/api/service/roles/ada/assign', { role: 'editor' }],
    ['DELETE', '/api/service/users/ada/revoke', { role: 'editor' }],
  ] as const;
  // A function that exceeds its timeout is ended, and its answer has no code.
  const answers = await Promise.all(
    requests.map(([method, target, body]) => sendSigned(api.url, key, [method, target], { body })),
  );
  const expected = [503, 'unavailable', '1'];
  expect(answers.map(({ status, body, headers }) => [status, body.code, headers['retry-after']])).toEqual(
    Array(4).fill(expected),
  );
});

test('a login hook denies within its timeout if DynamoDB never answers', async () => {
  const { api, root } = await startApi();
  const { deriveToken } = await import('#options/connections/server/connection-token.ts');
  const token = deriveToken(root, 'svc_k1_okta_01JD0000000000000000000000' as KeyId);
  const ask = (target: string, body: object, own = token) => sendWithToken(api, ['POST', target], { token: own, body });
  const [okta, hydra] = await Promise.all([ask('/hooks/okta', oktaPayload()), ask('/hooks/hydra', hydraPayload())]);
  expect([okta.status, okta.body]).toEqual([200, { error: { errorSummary: expect.stringMatching(/^unavailable: /) } }]);
  expect([hydra.status, hydra.body.code]).toEqual([503, 'unavailable']);
});
