import { createHash, createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { canonicalJson } from '#shared/integrity/canonical-json.ts';
import { createSigningInput, formatContentDigest, signedHeaders } from '#shared/signature/base.ts';
import type { FakeAuthService } from '../../client/testing.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { normalizeVolatileFields } from '../support/normalize-volatile-fields.ts';
import type { Key } from '../support/send-request.ts';
import { operator, startBundles, type TestService } from '../support/start-service.ts';
import { buildFake } from './built-fake.ts';
import { type SignedCase, signedRequests } from './signed-requests.ts';

type KeyName = NonNullable<SignedCase['key']> | 'full';

/** A service that answers signed requests. */
interface Answering {
  readonly url: string;
  readonly keys: Readonly<Record<KeyName, Key>>;
  readonly fetch: (request: Request) => Promise<Response>;
}

const unknownKey = { keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX', secret: `svs_${'A'.repeat(43)}` };

let running: TestService;
let [service, fake]: (Answering | undefined)[] = [];
beforeAll(async () => {
  running = await startBundles();
  service = await prepareService(running);
  const { createFakeAuthService } = await buildFake();
  const users = ['ada', 'grace', 'alan', ...awkwardUserIds];
  fake = await prepareFake(await createFakeAuthService({ users, roles: ['viewer', 'editor', 'constructor'] }));
});
afterAll(() => running.stop());

async function prepareService({ url, billingKey, issueKey }: TestService): Promise<Answering> {
  const { createUser, setUserStatus } = await import('#shared/domain/user/users.ts');
  const { deleteUser } = await import('#shared/domain/user/delete-user.ts');
  const { revokeKey } = await import('#shared/domain/api-key/manage-keys.ts');
  const { parseKeyId } = await import('#shared/keys/key-id.ts');
  await setUserStatus({ userId: 'alan' as UserId, status: 'inactive', reason: null }, operator);
  await createUser({ userId: 'gone' as UserId, displayName: null, email: null }, operator);
  await deleteUser({ userId: 'gone' as UserId }, operator);
  const reader = await issueKey('billing', ['access:read']);
  const revoked = await issueKey('billing', ['access:read', 'access:write', 'roles:write']);
  const { appId } = parseKeyId(revoked.keyId) ?? {};
  if (appId !== undefined) await revokeKey({ appId, keyId: revoked.keyId }, operator);
  return { url, keys: { full: billingKey, reader, revoked, unknown: unknownKey }, fetch: (request) => fetch(request) };
}

async function prepareFake(double: FakeAuthService): Promise<Answering> {
  await double.setUserStatus('alan', 'inactive');
  await double.createUser('gone');
  await double.deleteUser('gone');
  const reader = await double.issueKey(['access:read']);
  const revoked = await double.issueKey();
  await double.revokeKey(revoked.keyId);
  const { baseUrl, keyId, secret } = double.options;
  return { url: baseUrl, keys: { full: { keyId, secret }, reader, revoked, unknown: unknownKey }, fetch: double.fetch };
}

/** The parts of a response that a client may rely on, without those that differ from run to run. */
async function answerOf({ url, keys, fetch }: Answering, n: number, request: SignedCase, created: number) {
  const response = await fetch(signed(url, keys[request.key ?? 'full'], n, request, created));
  const headers = [
    'content-type',
    'etag',
    'allow',
    'retry-after',
    'cache-control',
    'request-nonce',
    'x-content-type-options',
  ];
  const text = (await response.text())
    .replaceAll(new URL(url).host, 'host')
    // The fake has no webhooks, so its key has no scope for them.
    .replaceAll(' webhooks:write', '')
    .replace(/(created|expires)=\d+/g, '$1=any')
    // A second can pass between the two answers.
    .replace(/\d+ seconds (behind|ahead)/, 'some seconds $1')
    .replace(/"signature": [^\\]+/, '"signature": any');
  const body = normalizeVolatileFields(text === '' ? null : JSON.parse(text));
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map((name) => [name, response.headers.get(name)])),
    body: withoutOrder(body, request.target),
  };
}

function signed(url: string, key: Key, n: number, request: SignedCase, now: number): Request {
  const { method, target, body, headers = {}, signing, createdAfter = 0, sent, sentBody = body } = request;
  const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
  const { keyId, secret, label, ...options } = { ...key, label: 'sig1', ...signing };
  const stamp = { keyId, nonce: `request-number-${n}`, created: now + createdAfter, ...options };
  const digest = body ? formatContentDigest(createHash('sha256').update(body).digest('base64')) : undefined;
  // The project's own signers refuse what the service refuses.
  const { params, base } = createSigningInput({ method, url: url + target }, { ...stamp, headers: all, digest });
  const mac = createHmac('sha256', secret).update(base).digest('base64');
  const final = { ...all, ...signedHeaders(digest, params, mac, label), ...sent };
  const kept = Object.entries(final).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Request(url + target, { method, headers: kept, ...(sentBody !== undefined && { body: sentBody }) });
}

/** Changes within one millisecond have no defined order, so a full page may contain different ones. */
function withoutOrder(body: unknown, target: string): unknown {
  const { items } = Object(body);
  if (!Array.isArray(items) || !items.some((item) => 'action' in item)) return body;
  const limit = Number(new URL(target, 'https://host').searchParams.get('limit') ?? 25);
  const sorted = items.map((item) => canonicalJson(item)).sort();
  return { ...Object(body), items: items.length < limit ? sorted : items.length };
}

test(`the fake answers ${signedRequests.length} signed requests as the service does`, async () => {
  expect(signedRequests.length).toBeGreaterThanOrEqual(150);
  if (service === undefined || fake === undefined) throw new Error('Both are started before');
  const differing: unknown[] = [];
  const statuses = new Set<number>();
  for (const [n, request] of signedRequests.entries()) {
    const created = Math.floor(Date.now() / 1000);
    const expected = await answerOf(service, n, request, created);
    const actual = await answerOf(fake, n, request, created);
    statuses.add(expected.status);
    if (!isDeepStrictEqual(actual, expected)) differing.push({ n, request, expected, actual });
  }
  expect(differing).toEqual([]);
  expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 409, 412, 413, 415]);
});
