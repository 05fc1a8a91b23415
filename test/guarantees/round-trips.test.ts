import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { describeService } from '../support/describe-service.ts';
import { keyRequests } from '../support/key-requests.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { freshNonce } from '../support/send-request.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const access = '/api/service/users/ada/access';

interface Consumed {
  readonly CapacityUnits: number;
}

const service = describeService();
let sdk: WatchedSdk;
beforeAll(async () => {
  sdk = await watchServiceTable();
  await recordKeyUse(sdk, () => service.request(['GET', access]));
});
beforeEach(() => {
  sdk.requests.length = 0;
});

const sent = () => sdk.requests.map(({ command }) => command);

describe('a read', () => {
  test('a read sends one request to the table, strongly consistent', async () => {
    expect((await service.request(['GET', access])).status).toBe(200);
    expect(sent()).toEqual(['BatchGetItemCommand']);
    const [asked] = Object.values<{ Keys: unknown[]; ConsistentRead: boolean }>(sdk.requests[0]?.input.RequestItems);
    expect(asked).toMatchObject({ ConsistentRead: true, Keys: { length: 3 } });
  });

  test('a read of an unknown user sends one request to the table', async () => {
    expect((await service.request(['GET', '/api/service/users/nobody/access'])).status).toBe(404);
    expect(sent()).toEqual(['BatchGetItemCommand']);
  });
});

describe("an application's past keys", () => {
  const manage = manageClient(() => service);
  const { issue, rotate } = keyRequests(
    () => service,
    (method, path, body) => manage('iam', method, path, body === undefined ? {} : { body }),
  );

  test('40 rotations within a day still let one read unit cover the application', async () => {
    const appId = await newApplication();
    let key = await issue(appId);
    for (let rotation = 0; rotation < 40; rotation++) key = (await rotate(appId, key, 'PT0S')).body;
    let units: number | undefined;
    sdk.fault = async ({ command }, send) => {
      const answer = (await send()) as { output: { ConsumedCapacity: { CapacityUnits: number }[] } };
      if (command === 'BatchGetItemCommand') units = answer.output.ConsumedCapacity[0]?.CapacityUnits;
      return answer;
    };
    const { status } = await service.request(['GET', access], { key });
    sdk.fault = undefined;
    expect([status, units]).toEqual([200, 3]);
  });
});

describe('a list of changes', () => {
  /** Numbers everything, follows to the end, and returns the cursor. */
  async function followToTheEnd(): Promise<string> {
    const { numberFeed } = await import('#shared/domain/history/feed-numbers.ts');
    for (const feed of ['billing' as AppId, 'USERS'] as const) await numberFeed(feed);
    let body = (await service.request(['GET', '/api/service/changes?limit=100'])).body;
    while (body.more)
      body = (await service.request(['GET', `/api/service/changes?limit=100&after=${body.cursor}`])).body;
    return body.cursor;
  }

  test('a follower without news sends one request to the table, then two concurrently, of three units', async () => {
    const cursor = await followToTheEnd();
    sdk.requests.length = 0;
    const units: number[] = [];
    sdk.fault = async (_, send) => {
      const answer = (await send()) as { output: { ConsumedCapacity: Consumed | readonly Consumed[] } };
      units.push(...[answer.output.ConsumedCapacity].flat().map(({ CapacityUnits }) => CapacityUnits));
      return answer;
    };
    const { body } = await service.request(['GET', `/api/service/changes?limit=100&after=${cursor}`]);
    sdk.fault = undefined;
    expect(body).toEqual({ items: [], pending: 0, more: false, cursor });
    expect(sent()).toEqual(['BatchGetItemCommand', 'QueryCommand', 'QueryCommand']);
    for (const { input } of sdk.requests.slice(1)) expect(input).toMatchObject({ ConsistentRead: true });
    expect(units).toEqual([1, 1, 1]);
  });

  test('a follower with news reads the feed of the users once more, then the changes themselves', async () => {
    const cursor = await followToTheEnd();
    await service.request(['PUT', access], { body: { status: 'disabled', reason: 'news' } });
    sdk.requests.length = 0;
    const { body } = await service.request(['GET', `/api/service/changes?limit=100&after=${cursor}`]);
    expect(body).toMatchObject({ items: [{ action: 'access.changed' }], pending: 1, more: false });
    expect(sent()).toEqual(['BatchGetItemCommand', ...Array(3).fill('QueryCommand'), 'BatchGetItemCommand']);
  });
});

describe('a check of many users', () => {
  const check = (count: number, options: object = {}) =>
    service.request(['POST', '/api/service/access/check'], {
      body: { userIds: ['ada', ...Array.from({ length: count - 1 }, (_, n) => `user-${n}`)] },
      ...options,
    });
  const keysOf = ({ RequestItems }: Record<string, unknown>) =>
    Object.values(RequestItems as Record<string, { Keys: unknown[]; ConsistentRead: boolean }>)[0];

  test.each([
    [1, [3]],
    [49, [99]],
    [50, [100, 1]],
    [99, [100, 99]],
    [100, [100, 100, 1]],
  ])(
    'a check of %i users sends at most three requests to the table, strongly consistent, and writes nothing',
    async (count, keys) => {
      expect((await check(count)).status).toBe(200);
      expect(sent()).toEqual(keys.map(() => 'BatchGetItemCommand'));
      const asked = sdk.requests.map(({ input }) => keysOf(input));
      expect(asked.map((one) => [one?.ConsistentRead, one?.Keys.length])).toEqual(keys.map((length) => [true, length]));
    },
  );

  test('a forged check sends nothing to the table', async () => {
    const answer = await check(100, { signing: { secret: 'svs_guessed' } });
    expect([answer.status, sent()]).toEqual([401, []]);
  });
});

describe('a write is two requests', () => {
  test.each([
    ['that changes the status', ['PUT', access], { status: 'disabled' }, 'TransactWriteItemsCommand', 200],
    ['that changes nothing', ['PUT', access], { status: 'disabled' }, 'PutItemCommand', 200],
    [
      'that assigns a role',
      ['POST', '/api/service/roles/ada/assign'],
      { role: 'editor' },
      'TransactWriteItemsCommand',
      200,
    ],
    [
      'that revokes a role',
      ['DELETE', '/api/service/users/ada/revoke'],
      { role: 'editor' },
      'TransactWriteItemsCommand',
      200,
    ],
    ['that is refused', ['PUT', '/api/service/users/nobody/access'], { status: 'disabled' }, 'PutItemCommand', 404],
    [
      'with an expiry in the past',
      ['PUT', '/api/service/users/ada/access'],
      { status: 'disabled', until: '2020-01-01T00:00:00Z' },
      'PutItemCommand',
      400,
    ],
  ] as const)('a write sends two requests to the table: %s', async (_, request, body, second, status) => {
    expect((await service.request(request, { body })).status).toBe(status);
    expect(sent()).toEqual(['BatchGetItemCommand', second]);
  });
});

describe("an application's own webhooks", () => {
  const path = '/api/service/webhooks/backend';
  const body = { url: 'https://hooks.example.com/', enabled: false };

  test.each([
    ['a new one', ['PUT', path], body, ['QueryCommand', 'QueryCommand'], 'TransactWriteItemsCommand'],
    ['the same again', ['PUT', path], body, ['QueryCommand', 'QueryCommand'], 'PutItemCommand'],
    ['another secret', ['POST', `${path}/rotate`], { overlap: 'PT0S' }, [], 'TransactWriteItemsCommand'],
  ] as const)('setting one takes two round trips: %s', async (_, request, content, ofFeeds, second) => {
    const rounds = countRounds();
    expect((await service.request(request, { body: content })).status).toBe(200);
    expect(sent().sort()).toEqual(['BatchGetItemCommand', 'BatchGetItemCommand', ...ofFeeds, second].sort());
    expect(rounds()).toBe(2);
  });

  test('the list takes one round trip, and a deletion two', async () => {
    const rounds = countRounds();
    await service.request(['GET', '/api/service/webhooks']);
    expect([sent().sort(), rounds()]).toEqual([['BatchGetItemCommand', 'QueryCommand'], 1]);
    await service.request(['DELETE', path]);
    expect([sent().slice(2), rounds()]).toEqual([['BatchGetItemCommand', 'TransactWriteItemsCommand'], 3]);
  });

  /** Counts the requests that each were sent after the answer to another one. */
  function countRounds(): () => number {
    let answered = 0;
    sdk.fault = async (_, send) => {
      const round = answered + 1;
      const answer = await send();
      answered = Math.max(answered, round);
      return answer;
    };
    return () => answered;
  }

  afterAll(() => {
    sdk.fault = undefined;
  });
});

describe('a retry of a completed call', () => {
  test('a retry sends a third request to the table to record it; its replay does not', async () => {
    const created = Math.floor(Date.now() / 1000);
    const send = (signing: object) => service.request(['PUT', access], { body: { status: 'enabled' }, signing });
    const call = { nonce: freshNonce() };
    await send({ ...call, created });
    sdk.requests.length = 0;
    expect((await send({ ...call, created: created + 1 })).status).toBe(200);
    expect(sent()).toEqual(['BatchGetItemCommand', 'PutItemCommand', 'PutItemCommand']);
    sdk.requests.length = 0;
    expect((await send({ ...call, created })).status).toBe(409);
    expect(sent()).toEqual(['BatchGetItemCommand', 'PutItemCommand']);
  });
});

describe('no request to the table is made', () => {
  const put = ['PUT', access] as const;

  test.each([
    ['forged', 401, { signing: { secret: 'svs_guessed' } }],
    ['under a key that was never issued', 401, { signing: { keyId: 'svk_k1_billing_01JD0000000000000000000000' } }],
    ['under a root that does not exist', 401, { signing: { keyId: 'svk_k9_billing_01JD0000000000000000000000' } }],
    ['too old', 401, { signing: { created: 1_000_000_000 } }],
    ['not JSON', 400, { body: '{' }],
    ['of the wrong shape', 400, { body: { status: 'off' } }],
    ['of another type', 415, { headers: { 'content-type': 'text/plain' } }],
    ['too large', 413, { body: { status: 'disabled', reason: 'x'.repeat(20_000) } }],
  ] as const)('sends nothing to the table for a request that is %s', async (_, status, options) => {
    const answer = await service.request(put, { body: { status: 'disabled' }, ...options });
    expect([answer.status, sent()]).toEqual([status, []]);
  });

  test('sends nothing to the table for a request whose body was replaced', async () => {
    const tamper = <T>(request: T) => ({ ...request, body: '{"status":"enabled"}' });
    const answer = await service.request(put, { body: { status: 'disabled' }, tamper });
    expect([answer.status, answer.body.code, sent()]).toEqual([401, 'digest_mismatch', []]);
  });

  test('sends nothing to the table for an unsigned request and an unknown route', async () => {
    const tamper = <T>(request: T) => ({ ...request, headers: {} });
    expect((await service.request(['GET', access], { tamper })).status).toBe(401);
    expect((await service.request(['GET', '/api/service/nothing'])).status).toBe(404);
    expect(sent()).toEqual([]);
  });
});
