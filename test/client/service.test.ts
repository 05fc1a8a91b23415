import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { changeSchemas, detailedChangeSchema } from '#shared/contract/change-details.ts';
import { userIdPattern } from '#shared/contract/fields.ts';
import {
  AuthServiceClient,
  type ChangePage,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  SignatureError,
  signRequest,
  VersionMismatchError,
} from '../../client/index.ts';
import { manageClient } from '../support/manage-client.ts';
import { newUser } from '../support/new-user.ts';
import { putChange } from '../support/put-change.ts';
import type { Key } from '../support/send-request.ts';
import { awkwardUserIds, startBundles, type TestService } from '../support/start-service.ts';
import { errorOf } from './client-fixture.ts';

let service: TestService;
let client: AuthServiceClient;
beforeAll(async () => {
  service = await startBundles();
  client = clientOf(service.billingKey);
});
afterAll(() => service.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

async function collect(pages: AsyncIterable<ChangePage>): Promise<ChangePage[]> {
  const collected: ChangePage[] = [];
  for await (const page of pages) collected.push(page);
  return collected;
}

const manage = manageClient(() => service);

const clientOf = (key: Key) => new AuthServiceClient({ baseUrl: service.url, ...key });

test('reads and sets access, assigns and revokes roles', async () => {
  const userId = await newUser();
  expect(await client.getAccess(userId)).toMatchObject({ userId, appId: 'billing', version: 0, roles: [] });

  const until = new Date(Date.now() + 3_600_000);
  const disabled = await client.setAccess(userId, { status: 'disabled', reason: 'unpaid', until });
  expect(disabled).toMatchObject({ changed: true, status: 'disabled', reason: 'unpaid', until: until.toISOString() });
  expect((await client.setAccess(userId, { status: 'enabled' })).effectiveStatus).toBe('enabled');

  expect((await client.assignRole(userId, 'viewer')).roles).toEqual([{ name: 'viewer', expiresAt: null }]);
  const granted = await client.assignRole(userId, { role: 'editor', expiresAt: until });
  expect(granted.roles[0]).toEqual({ name: 'editor', expiresAt: until.toISOString() });
  expect((await client.revokeRole(userId, 'viewer')).roles).toHaveLength(1);
  expect((await client.revokeRole(userId, 'viewer')).changed).toBe(false);
});

test.each([...awkwardUserIds, `${'|+=@:'.repeat(25)}...`])(
  'sends every operation for the user id %s',
  async (userId) => {
    if (!awkwardUserIds.includes(userId)) await newUser(userId);
    expect((await client.getAccess(userId)).userId).toBe(userId);
    expect((await client.assignRole(userId, 'editor')).changed).toBe(true);
    expect((await client.revokeRole(userId, 'editor')).changed).toBe(true);
    expect(await client.isAllowed(userId)).toBe(true);
  },
);

test('encodes a role in the query', async () => {
  expect((await client.revokeRole('ada', 'a:b')).changed).toBe(false);
});

test('isAllowed is true for a user with access', async () => {
  expect(await client.isAllowed(await newUser())).toBe(true);
});

test('isAllowed is false for a blocked, an inactive and an unknown user', async () => {
  const blocked = await newUser();
  await client.setAccess(blocked, { status: 'disabled' });
  const inactive = await newUser();
  const { setUserStatus } = await import('#shared/domain/user/users.ts');
  const { operator } = await import('../support/start-service.ts');
  await setUserStatus({ userId: inactive as never, status: 'inactive', reason: null, ifMatch: undefined }, operator);

  const answers = [blocked, inactive, 'nobody'].map((userId) => client.isAllowed(userId));
  expect(await Promise.all(answers)).toEqual([false, false, false]);
});

test('ifVersion is a condition of every write', async () => {
  const userId = await newUser();
  const { version } = await client.setAccess(userId, { status: 'disabled' }, { ifVersion: 0 });
  const stale = { ifVersion: version - 1 };

  const refused = await Promise.all([
    errorOf(client.setAccess(userId, { status: 'enabled' }, stale)),
    errorOf(client.assignRole(userId, 'editor', stale)),
    errorOf(client.revokeRole(userId, 'editor', stale)),
    errorOf(client.setAccess(userId, { status: 'enabled' }, { ifVersion: Number.NaN })),
  ]);

  expect(refused.every((error) => error instanceof VersionMismatchError)).toBe(true);
  expect(refused[0]).toMatchObject({ code: 'version_mismatch', status: 412, problem: { version } });
});

/** A client to whose next request something happens on the way. */
function clientWhoseNext(request: (sent: Request) => Promise<Response>): AuthServiceClient {
  let count = 0;
  const onTheWay = (sent: Request) => (count++ === 0 ? request(sent) : fetch(sent));
  return new AuthServiceClient({ baseUrl: service.url, ...service.billingKey, fetch: onTheWay });
}

describe('a call takes effect once', () => {
  /** The request takes effect, and its answer is lost; an operator changes the access before the retry. */
  const losingAnswer = (method: string, path: string, body?: object) =>
    clientWhoseNext(async (sent) => {
      await fetch(sent);
      expect((await manage('iam', method, path, { body })).status).toBeLessThan(300);
      throw new Error('lost');
    });

  test('a block survives the retry of an older call whose answer was lost', async () => {
    const userId = await newUser();
    await client.setAccess(userId, { status: 'disabled' });
    const late = losingAnswer('PUT', `/users/${userId}/access/billing`, { status: 'disabled', reason: 'stolen' });
    expect(await late.setAccess(userId, { status: 'enabled' })).toMatchObject({
      changed: true,
      status: 'enabled',
      version: 2,
    });
    expect(await client.getAccess(userId)).toMatchObject({ status: 'disabled', reason: 'stolen', version: 3 });
  });

  test('a role that was taken away stays away after the retry of its assignment', async () => {
    const userId = await newUser();
    const late = losingAnswer('DELETE', `/users/${userId}/roles/billing/editor`);
    expect(await late.assignRole(userId, 'editor')).toMatchObject({ changed: true, version: 1 });
    expect(await client.getAccess(userId)).toMatchObject({ roles: [], version: 2 });
  });

  test('a role that was given again stays after the retry of its revocation', async () => {
    const userId = await newUser();
    await client.assignRole(userId, 'editor');
    const late = losingAnswer('PUT', `/users/${userId}/roles/billing/editor`, {});
    expect(await late.revokeRole(userId, 'editor')).toMatchObject({ changed: true, version: 2, roles: [] });
    expect(await client.getAccess(userId)).toMatchObject({ roles: [{ name: 'editor' }], version: 3 });
  });

  test('a retry with ifVersion is answered with the change that its first attempt made', async () => {
    const userId = await newUser();
    const late = losingAnswer('PUT', `/users/${userId}/access/billing`, { status: 'enabled', reason: 'back' });
    const answer = await late.setAccess(userId, { status: 'disabled' }, { ifVersion: 0 });
    expect(answer).toMatchObject({ changed: true, status: 'disabled', version: 1 });
    expect(await client.getAccess(userId)).toMatchObject({ status: 'enabled', version: 2 });
  });

  test('a refusal is final: what exists by the time of the retry does not change it', async () => {
    const userId = `late-${Date.now()}`;
    const late = losingAnswer('PUT', `/users/${userId}`, {});
    expect(await errorOf(late.setAccess(userId, { status: 'disabled' }))).toMatchObject({
      code: 'user_not_found',
      attempts: 2,
    });
    expect(await client.getAccess(userId)).toMatchObject({ status: 'enabled', version: 0 });
  });

  test('a request that was delivered twice is signed again, and answered with what its first copy did', async () => {
    const userId = await newUser();
    let status = 0;
    const twice = clientWhoseNext(async (sent) => {
      await fetch(sent.clone());
      const second = await fetch(sent);
      ({ status } = second);
      return second;
    });
    expect(await twice.setAccess(userId, { status: 'disabled' })).toMatchObject({ changed: true, version: 1 });
    expect(status).toBe(409);
    expect(await client.getAccess(userId)).toMatchObject({ version: 1 });
  });
});

test('ifVersion is signed, so it cannot be removed on the way', async () => {
  const strip = async (request: Request) => {
    request.headers.delete('if-match');
    return fetch(request);
  };
  const stripped = new AuthServiceClient({ baseUrl: service.url, ...service.billingKey, fetch: strip });
  const error = await errorOf(stripped.setAccess('ada', { status: 'disabled' }, { ifVersion: 7 }));
  expect(error.code).toBe('component_missing');
});

test('throws an error of the class of its status, with the request id', async () => {
  const unknown = await errorOf(client.getAccess('nobody'));
  expect(unknown).toBeInstanceOf(NotFoundError);
  expect(unknown).toMatchObject({ code: 'user_not_found', status: 404, requestId: expect.stringMatching(/./) });
  expect(await errorOf(client.assignRole('ada', 'nothing'))).toMatchObject({ code: 'role_not_found' });
  expect(await errorOf(client.assignRole('ada', '-'))).toBeInstanceOf(InvalidRequestError);
});

test('throws a ForbiddenError for what the scopes of the key do not allow', async () => {
  const reader = clientOf(await service.issueKey('billing', ['access:read']));
  expect(await reader.isAllowed('ada')).toBe(true);
  expect(await errorOf(reader.setAccess('ada', { status: 'enabled' }))).toBeInstanceOf(ForbiddenError);
});

test('says that only the secret can be wrong when the signature bases are the same', async () => {
  const error = await errorOf(clientOf({ ...service.billingKey, secret: service.wikiKey.secret }).getAccess('ada'));
  expect(error).toBeInstanceOf(SignatureError);
  expect(error).toMatchObject({ code: 'signature_mismatch', attempts: 1 });
  expect(error.message).toContain('same signature base: wrong secret');
});

test('says what was changed when a request was changed on the way', async () => {
  const redirected = async (request: Request) => fetch(request.url.replace('/ada/', '/grace/'), request);
  const changed = new AuthServiceClient({ baseUrl: service.url, ...service.billingKey, fetch: redirected });
  const { message } = await errorOf(changed.getAccess('ada'));
  expect(message).toContain(
    'signed "@path": /api/service/users/ada/access, the server has "@path": /api/service/users/grace/access',
  );
});

test.each([
  ['an invalid date', new Date(Number.NaN)],
  ['not a number', Number.NaN],
  ['a number', Date.now() + 3_600_000],
])('the service refuses an end that is %s', async (_, end) => {
  const userId = await newUser();
  const until = end as unknown as Date;
  const block = await errorOf(client.setAccess(userId, { status: 'disabled', until }));
  const grant = await errorOf(client.assignRole(userId, { role: 'editor', expiresAt: until }));
  expect([block.problem?.errors[0].pointer, grant.problem?.errors[0].pointer]).toEqual(['#/until', '#/expiresAt']);
  expect((await client.getAccess(userId)).version).toBe(0);
});

test('the service refuses a misspelt member', async () => {
  const misspelt = { role: 'editor', expires: '2030-01-01T00:00:00Z' };
  expect(await errorOf(client.assignRole('ada', misspelt))).toBeInstanceOf(InvalidRequestError);
});

test.each([-450, 450])(
  'sets a clock that is wrong by %i seconds from the first answer, for all later requests',
  async (seconds) => {
    // The client's alone: the service, which runs in this process too, has the right time while it is asked.
    const right = Date.now;
    let requests = 0;
    const setWrong = () => jest.spyOn(Date, 'now').mockImplementation(() => right() + seconds * 1000);
    const counting = async (request: Request) => {
      requests++;
      jest.restoreAllMocks();
      const response = await fetch(request);
      setWrong();
      return response;
    };
    setWrong();
    const late = new AuthServiceClient({ baseUrl: service.url, ...service.billingKey, fetch: counting });

    expect(await late.isAllowed('ada')).toBe(true);
    expect(requests).toBe(2);
    expect(await late.isAllowed('ada')).toBe(true);
    expect(requests).toBe(3);
    // A clock that is slow is not set for writes.
    const outcome = await late.assignRole(await newUser(), 'editor').catch((error) => error.code);
    expect(outcome).toEqual(seconds < 0 ? 'clock_skew' : expect.objectContaining({ changed: true }));
    expect(requests).toBe(4);
  },
);

test('reads changes page by page in their order, and continues after a cursor', async () => {
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { operator } = await import('../support/start-service.ts');
  await createApplication({ appId: 'feed' as never, name: 'feed' }, operator);
  const feed = clientOf(await service.issueKey('feed', ['access:read']));
  const caller = { kind: 'api-key', appId: 'feed', keyId: 'svk_k1_feed_1' };
  const put = (secondsAgo: number) => putChange(service.endpoint, { secondsAgo, userId: 'ada', appId: 'feed', caller });
  const first = await Promise.all(Array.from({ length: 103 }, (_, index) => put(600 - index)));

  const pages = await collect(feed.changes());
  // Behind them are the application's own creation and its key's.
  expect(pages.map(({ items }) => items.length >= 5)).toEqual([true, true]);
  expect(pages.flatMap(({ items }) => items).slice(0, 103)).toEqual(first);

  const later = await put(0);
  const [next] = await collect(feed.changes({ after: pages[1]?.cursor }));
  expect(next?.items).toContainEqual(later);
  const again = await collect(feed.changes({ after: pages[0]?.cursor }));
  expect(again.flatMap(({ items }) => items)).toEqual(expect.arrayContaining([...first.slice(100), later]));
});

test('follows the feed without telling a change twice, and ends where there is nothing new', async () => {
  const userId = await newUser();
  const seen: string[] = [];
  const enough = new AbortController();
  const following = client.changes({ pollSeconds: 1.1, signal: enough.signal });
  await client.assignRole(userId, 'editor');
  for await (const { items } of following) {
    seen.push(...items.map(({ id }) => id));
    const own = items.filter((change) => 'userId' in change && change.userId === userId);
    if (own.some(({ action }) => action === 'role.revoked')) break;
    if (own.some(({ action }) => action === 'role.assigned')) await client.revokeRole(userId, 'editor');
  }
  expect(new Set(seen).size).toBe(seen.length);
});

test('each change that an application reads is as the type of its action says', async () => {
  const [userId, erasedId] = [await newUser(), await newUser()];
  const steps: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', '/applications', { appId: 'typed', name: 'Typed' }],
    ['PATCH', '/applications/typed', { name: 'Renamed' }],
    ['PUT', '/applications/typed/roles/editor', { description: 'edits' }],
    ['PUT', `/users/${userId}/access/typed`, { status: 'disabled', reason: 'unpaid' }],
    ['PUT', `/users/${userId}/roles/typed/editor`, {}],
    ['DELETE', `/users/${userId}/roles/typed/editor`],
    ['DELETE', '/applications/typed/roles/editor'],
    ['PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'left' }],
    ['DELETE', `/users/${erasedId}`],
    ['PUT', `/users/${erasedId}`, {}],
  ];
  for (const [method, path, body] of steps) {
    const { status } = await manage('iam', method, path, body && { body });
    expect([path, status < 300]).toEqual([path, true]);
  }
  const { keyId } = await service.issueKey('typed', ['access:read']);
  await manage('iam', 'POST', `/applications/typed/keys/${keyId}/rotate`, { body: { overlap: 'PT1H' } });
  await manage('iam', 'DELETE', `/applications/typed/keys/${keyId}`);

  const pages = await collect(clientOf(await service.issueKey('typed', ['access:read'])).changes());
  const changes = pages.flatMap(({ items }) => items);
  const failures = changes.map((change) =>
    v.safeParse(detailedChangeSchema, change).issues?.map((issue) => issue.message),
  );
  expect(failures.filter(Boolean)).toEqual([]);
  const actions = Object.values(changeSchemas).flatMap(({ entries }) => entries.action.options);
  // An application that is deleted reads nothing any more.
  const readable = actions.filter((action) => action !== 'application.deleted');
  expect(readable.filter((action) => !changes.some((change) => change.action === action))).toEqual([]);
});

test('checkAccess reads many users, in their order, and says which do not exist', async () => {
  const blocked = await newUser();
  await client.setAccess(blocked, { status: 'disabled' });
  const answers = await client.checkAccess(['ada', 'nobody', blocked, 'no user id']);
  expect(answers).toMatchObject([
    { userId: 'ada', effectiveStatus: 'enabled' },
    { userId: 'nobody', code: 'user_not_found' },
    { userId: blocked, effectiveStatus: 'disabled' },
    { userId: 'no user id', code: 'user_not_found' },
  ]);
  expect(answers[0]).toEqual(await client.getAccess('ada'));
  expect(await errorOf(client.checkAccess([]))).toBeInstanceOf(InvalidRequestError);
});

test('waits for changes until the signal aborts', async () => {
  const enough = new AbortController();
  const waiting = client.changes({ after: '', pollSeconds: 0.01, signal: enough.signal });
  setTimeout(() => enough.abort(new Error('enough')), 200);
  await expect(collect(waiting)).rejects.toThrow('enough');
});

test('throws an error for changes after an invalid cursor', async () => {
  const { value, done } = await client
    .changes({ after: 'nonsense' })
    .next()
    .catch((error) => ({ value: error, done: null }));
  expect([value.code, done]).toEqual(['invalid_request', null]);
});

test('signs a request for any fetch, and the same request again for another call', async () => {
  const request = new Request(`${service.url}/api/service/users/ada/access`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'disabled', reason: 'Zürich' }),
  });
  for (const changed of [true, false]) {
    const response = await fetch(await signRequest(request, service.billingKey));
    expect(await response.json()).toMatchObject({ changed, reason: 'Zürich' });
  }
});

test('a request that is signed again with its nonce takes effect once', async () => {
  const request = new Request(`${service.url}/api/service/roles/${await newUser()}/assign`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'editor' }),
  });
  const nonce = crypto.randomUUID();
  const created = Math.floor(Date.now() / 1000);
  for (const attempt of [0, 1]) {
    const signed = await signRequest(request, service.billingKey, { nonce, created: created + attempt });
    expect(await (await fetch(signed)).json()).toMatchObject({ changed: true, version: 1 });
  }
});

test('sends the user ids that the contract allows', () => {
  expect(awkwardUserIds.every((id) => userIdPattern.test(id))).toBe(true);
});
