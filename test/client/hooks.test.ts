import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { AuthServiceClient, type ClientHooks } from '../../client/index.ts';
import { access, errorOf, problem, readStamp, stubFetch, testKey, withoutJitter } from './client-fixture.ts';

beforeEach(withoutJitter);
afterEach(() => {
  jest.restoreAllMocks();
});

const unavailable = () => Response.json(problem('unavailable'), { status: 503, headers: { 'apigw-requestid': 'R1' } });
const enabled = () => Response.json(access, { headers: { 'apigw-requestid': 'R2' } });

function clientOf(hooks: ClientHooks, answer: (request: Request, count: number) => Response | Promise<Response>) {
  const { fetch, requests } = stubFetch(answer);
  return { requests, client: new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, hooks, fetch }) };
}

test('hooks receive each request, response and retry in order, and no secret', async () => {
  const events: unknown[] = [];
  const hooks: ClientHooks = {
    onRequest: (event) => events.push(['request', event]),
    onResponse: (event) => events.push(['response', event]),
    onRetry: (event) => events.push(['retry', event]),
  };
  const { client } = clientOf(hooks, (_, count) => (count === 1 ? unavailable() : enabled()));
  expect(await client.isAllowed('ada')).toBe(true);

  const operation = 'GET users/{userId}/access';
  const durationMs = expect.any(Number);
  expect(events).toEqual([
    ['request', { operation, attempt: 1 }],
    ['response', { operation, attempt: 1, durationMs, status: 503, requestId: 'R1', code: 'unavailable' }],
    ['retry', { operation, attempt: 1, code: 'unavailable', delayMs: 0 }],
    ['request', { operation, attempt: 2 }],
    ['response', { operation, attempt: 2, durationMs, status: 200, requestId: 'R2', code: undefined }],
  ]);
  const text = JSON.stringify(events);
  expect([testKey.secret, testKey.keyId, 'ada'].filter((secret) => text.includes(secret))).toEqual([]);
});

test('onResponse is called for a request without a response', async () => {
  const onResponse = jest.fn();
  const { client } = clientOf({ onResponse }, () => {
    throw new Error('refused');
  });
  await errorOf(client.setAccess('ada', { status: 'enabled' }));
  const event = { operation: 'PUT users/{userId}/access', status: undefined, requestId: undefined, code: 'no_answer' };
  expect(onResponse.mock.calls.map(([told]) => told)).toEqual(
    [1, 2, 3, 4].map((attempt) => ({ ...event, attempt, durationMs: expect.any(Number) })),
  );
});

test('a hook that throws does not affect the call', async () => {
  const fail = () => {
    throw new Error('telemetry is down');
  };
  const hooks = { onRequest: fail, onResponse: fail, onRetry: fail };
  const { client, requests } = clientOf(hooks, (_, count) => (count === 1 ? unavailable() : enabled()));
  expect(await client.isAllowed('ada')).toBe(true);
  expect(requests).toHaveLength(2);
});

test('an operation has the same name for every user', async () => {
  const names: string[] = [];
  const { client } = clientOf(
    { onRequest: ({ operation }) => names.push(operation) },
    () => new Response('', { status: 500 }),
  );
  const calls = [
    client.getAccess('ada'),
    client.checkAccess(['ada']),
    client.setAccess('ada', { status: 'enabled' }),
    client.assignRole('ada', 'editor'),
    client.revokeRole('ada', 'editor'),
    client.changes().next(),
  ];
  await Promise.allSettled(calls);
  expect(names.sort()).toEqual([
    'DELETE users/{userId}/revoke',
    'GET changes',
    'GET users/{userId}/access',
    'POST access/check',
    'POST roles/{userId}/assign',
    'PUT users/{userId}/access',
  ]);
});

test('a key function is called once per call, not once per attempt', async () => {
  const keys = ['1', '2'].map((id) => ({ ...testKey, keyId: `svk_k1_billing_${id}` }));
  let reads = 0;
  const { fetch, requests } = stubFetch((_, count) => (count === 1 ? unavailable() : enabled()));
  const client = new AuthServiceClient({
    baseUrl: 'https://auth.example.com',
    key: async () => keys[reads++] ?? testKey,
    fetch,
  });
  await client.isAllowed('ada');
  await client.isAllowed('ada');
  const signed = requests.map(({ headers }) => headers.get('signature-input') ?? '');
  expect(signed.map((input) => /keyid="svk_k1_billing_(\w+)"/.exec(input)?.[1])).toEqual(['1', '1', '2']);
  expect(readStamp(signed[0]).nonce).toBe(readStamp(signed[1]).nonce);
});

test("a response must be about the key's application", async () => {
  const { fetch } = stubFetch(() => enabled());
  const key = () => ({ ...testKey, keyId: testKey.keyId.replace('billing', 'wiki') });
  const client = new AuthServiceClient({ baseUrl: 'https://auth.example.com', key, fetch });
  expect(await errorOf(client.isAllowed('ada'))).toMatchObject({ code: 'unexpected_answer' });
});

test('the error of a key function is the cause of the final error after all attempts', async () => {
  const { fetch, requests } = stubFetch(() => enabled());
  const cause = new Error('no secrets today');
  const key = jest.fn(() => Promise.reject(cause));
  const client = new AuthServiceClient({ baseUrl: 'https://auth.example.com', key, fetch });
  expect(await errorOf(client.isAllowed('ada'))).toMatchObject({ code: 'no_answer', attempts: 0, cause });
  expect(key).toHaveBeenCalledTimes(4);
  expect(requests).toEqual([]);
});
