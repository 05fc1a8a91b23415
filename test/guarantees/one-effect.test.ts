import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { readHistory } from '../support/read-history.ts';
import { freshNonce, type RequestOptions } from '../support/send-request.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  sdk = await watchServiceTable();
});
afterEach(() => {
  sdk.fault = undefined;
});

const now = () => Math.floor(Date.now() / 1000);
const path = (userId: string) => `/api/service/users/${userId}/access`;
const actionsOf = async (userId: string) => (await readHistory(service, userId)).map(({ action }) => action);

/** One signed call, whose attempts differ in `created`. */
function newCall(userId: string, body: object = { status: 'disabled' }) {
  const nonce = freshNonce();
  return (created: number, options: RequestOptions = {}) =>
    service.request(['PUT', path(userId)], { body, signing: { nonce, created }, ...options });
}

describe('a signed call', () => {
  test('a retry gets the first response and changes nothing', async () => {
    const userId = await newUser();
    const attempt = newCall(userId);
    const first = await attempt(now());
    const second = await attempt(now() + 1);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(first.body.changed).toBe(true);
    expect(await actionsOf(userId)).toEqual(['access.changed']);
  });

  test("a retry does not undo someone else's later change", async () => {
    const userId = await newUser();
    const attempt = newCall(userId, { status: 'enabled' });
    await attempt(now());
    const blocked = await manage('iam', 'PUT', `/users/${userId}/access/billing`, { body: { status: 'disabled' } });
    expect(blocked.body).toMatchObject({ changed: true, version: 2 });
    expect((await attempt(now() + 1)).body).toMatchObject({ changed: true, version: 1, effectiveStatus: 'enabled' });
    expect((await service.request(['GET', path(userId)])).body).toMatchObject({
      version: 2,
      effectiveStatus: 'disabled',
    });
  });

  test('a retry after a lost response gets the result that took effect, although the condition no longer holds', async () => {
    const userId = await newUser();
    const attempt = newCall(userId);
    let isLost = false;
    sdk.fault = async ({ command }, send) => {
      const answer = await send();
      if (command !== 'TransactWriteItemsCommand' || isLost) return answer;
      isLost = true;
      throw new SyntaxError('Unexpected end of JSON input');
    };
    const headers = { 'if-match': '"0"' };
    expectProblem(await attempt(now(), { headers }), 'unavailable');
    const again = await attempt(now() + 1, { headers });
    expect([again.status, again.body]).toMatchObject([200, { changed: true, version: 1 }]);
    expect(await actionsOf(userId)).toEqual(['access.changed']);
  });

  test('a retry of a refused call gets the first refusal, even if it would be accepted now', async () => {
    const userId = `late-${freshNonce().slice(0, 8)}`;
    const attempt = newCall(userId);
    expectProblem(await attempt(now()), 'user_not_found');
    await manage('iam', 'PUT', `/users/${userId}`);
    expectProblem(await attempt(now() + 1), 'user_not_found');
    expect(await actionsOf(userId)).toEqual([]);
  });

  test('a block may expire between two attempts', async () => {
    const userId = await newUser();
    const attempt = newCall(userId, { status: 'disabled', until: new Date(Date.now() + 1000).toISOString() });
    const first = await attempt(now());
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await attempt(now() + 1)).body).toEqual(first.body);
  });

  test('the identical signature is a replay', async () => {
    const attempt = newCall(await newUser());
    const created = now();
    await attempt(created);
    expectProblem(await attempt(created), 'nonce_replayed');
  });

  test.each([
    ['another body', { body: { status: 'enabled' } }],
    ['a condition that the first did not have', { headers: { 'if-match': '"1"' } }],
  ])('its nonce with %s is a replay', async (_, difference) => {
    const userId = await newUser();
    const attempt = newCall(userId);
    await attempt(now());
    expectProblem(await attempt(now() + 1, difference), 'nonce_replayed');
    expect(await actionsOf(userId)).toEqual(['access.changed']);
  });

  test('its nonce for another user or method is a replay', async () => {
    const nonce = freshNonce();
    const send = async (method: string, userId: string, created: number) =>
      service.request([method, path(userId)], { body: { status: 'disabled' }, signing: { nonce, created } });
    await send('PUT', await newUser(), now());
    expectProblem(await send('PUT', await newUser(), now() + 1), 'nonce_replayed');
  });

  test('an attempt more than five minutes after the one that took effect is a replay', async () => {
    const attempt = newCall(await newUser());
    const first = now() - 150;
    await attempt(first);
    expect((await attempt(first + 300)).status).toBe(200);
    expectProblem(await attempt(first + 301), 'nonce_replayed');
  });

  test('of concurrent attempts one takes effect, and all get the same response', async () => {
    const userId = await newUser();
    const attempt = newCall(userId);
    const start = now();
    const answers = await Promise.all([0, 1, 2, 3].map((n) => attempt(start + n)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(await actionsOf(userId)).toEqual(['access.changed']);
  });
});

describe("an operator's call", () => {
  const named = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': `"${key}"` } });

  test('a retried rotation returns the same key with the same secret, and rotates once', async () => {
    const appId = await newApplication();
    const { body: issued } = await manage('iam', 'POST', `/applications/${appId}/keys`, { body: {} });
    const call = named();
    const rotate = () =>
      manage('iam', 'POST', `/applications/${appId}/keys/${issued.keyId}/rotate`, {
        ...call,
        body: { overlap: 'PT1H' },
      });
    const [first, second] = [await rotate(), await rotate()];
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(first.body.secret).toMatch(/^svs_/);
    const { body } = await manage('iam', 'GET', `/applications/${appId}/keys`);
    expect(body.items).toHaveLength(2);
    expect(JSON.stringify([...(await service.items()).values()])).not.toContain(first.body.secret);
  });

  test('a retried creation gets the first response instead of 409', async () => {
    const userId = `twice-${freshNonce().slice(0, 8)}`;
    const call = { ...named(), body: { displayName: 'Ada Lovelace', email: 'ada@example.com' } };
    const create = () => manage('iam', 'PUT', `/users/${userId}`, call);
    const [first, second] = [await create(), await create()];
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    const stored = [...(await service.items())].filter(([key]) => key.startsWith('IDEMPOTENCY#'));
    expect(JSON.stringify(stored)).not.toMatch(/Ada Lovelace|ada@example/);
  });

  test('the same key is refused with 422 for another request, and is a separate call for another operator', async () => {
    const call = named();
    const one = await newUser();
    const block = { ...call, body: { status: 'inactive' } };
    expect((await manage('iam', 'PUT', `/users/${one}/status`, block)).body.changed).toBe(true);
    expectProblem(await manage('iam', 'PUT', `/users/${await newUser()}/status`, block), 'idempotency_key_reused');
    expect((await manage('jwt', 'PUT', `/users/${one}/status`, block)).body.changed).toBe(false);
  });

  test('a retried bulk may list fewer users, and each of them gets the first outcome', async () => {
    const [ada = '', bo = '', cy = ''] = [await newUser(), await newUser(), await newUser()];
    const call = named();
    const deactivate = (userIds: readonly string[], status = 'inactive') =>
      manage('iam', 'POST', '/user-status', { ...call, body: { userIds, status } });
    await deactivate([ada, bo]);
    await manage('iam', 'PUT', `/users/${ada}/status`, { body: { status: 'active' } });
    expect((await deactivate([ada, cy])).body.items).toEqual(
      [ada, cy].map((userId) => ({ userId, outcome: 'changed' })),
    );
    expect((await manage('iam', 'GET', `/users/${ada}`)).body.status).toBe('active');
    const [refused] = (await deactivate([ada], 'active')).body.items;
    expect(refused).toMatchObject({ userId: ada, outcome: 'failed', problem: { code: 'idempotency_key_reused' } });
  });

  test('a retried deletion returns the first result and leaves what was created since', async () => {
    const userId = await newUser();
    const call = named();
    const erase = () => manage('iam', 'DELETE', `/users/${userId}`, call);
    expect((await erase()).body).toEqual({ changed: true, complete: true });
    await manage('iam', 'PUT', `/users/${userId}`);
    expect((await erase()).body).toEqual({ changed: true, complete: true });
    expect((await manage('iam', 'GET', `/users/${userId}`)).status).toBe(200);
  });

  test('a bulk request takes effect once for each user', async () => {
    const userIds = [await newUser(), await newUser()];
    const call = { ...named(), body: { userIds, status: 'disabled' } };
    const set = () => manage('iam', 'POST', '/applications/billing/access', call);
    const first = await set();
    await manage('iam', 'PUT', `/users/${userIds[0]}/access/billing`, { body: { status: 'enabled' } });
    expect((await set()).body).toEqual(first.body);
    expect((await service.request(['GET', path(userIds[0] ?? '')])).body.effectiveStatus).toBe('enabled');
  });

  test.each(['', '""', '"a" "b"', 'a b', `"${'k'.repeat(129)}"`, '"é"'])('refuses the key %j', async (key) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    expectInvalid(await manage('iam', 'PUT', `/users/${freshNonce()}`, { headers }), 'header:idempotency-key');
  });

  test('a request without a key that conflicts with itself returns the result that took effect', async () => {
    const userId = await newUser();
    let transactions = 0;
    sdk.fault = async ({ command }, send) => {
      if (command !== 'TransactWriteItemsCommand' || ++transactions > 1) return send();
      await send();
      const reasons = [{ Code: 'TransactionConflict' }];
      const { TransactionCanceledException } = await import('@aws-sdk/client-dynamodb');
      throw new TransactionCanceledException({ message: 'injected', $metadata: {}, CancellationReasons: reasons });
    };
    const { body } = await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive' } });
    expect(body).toMatchObject({ status: 'inactive', changed: true, version: 2 });
  });

  test('a transaction in progress with the same token is retried, not treated as a conflict', async () => {
    const userId = await newUser();
    let transactions = 0;
    sdk.fault = async ({ command }, send) => {
      if (command !== 'TransactWriteItemsCommand' || ++transactions !== 2) return send();
      const { TransactionInProgressException } = await import('@aws-sdk/client-dynamodb');
      throw new TransactionInProgressException({ message: 'injected', $metadata: {} });
    };
    transactions = 1;
    const body = { status: 'inactive' };
    const answer = await manage('iam', 'PUT', `/users/${userId}/status`, { body, headers: { 'if-match': '"1"' } });
    expect([answer.status, answer.body]).toMatchObject([200, { changed: true, version: 2 }]);
    const tokens = sdk.requests.slice(-2).map(({ input }) => input.ClientRequestToken);
    expect(new Set(tokens).size).toBe(1);
  });
});
