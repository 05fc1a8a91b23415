import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exampleRequest } from '#shared/contract/documents.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import {
  type BulkOutcome,
  createManagementClient,
  type ManagementClient,
  type ManagementClientOptions,
  ManagementError,
  newBulkId,
  runBulk,
} from '../../client/management.ts';
import { listenOn } from '../../local/listen.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { describeService } from '../support/describe-service.ts';

const service = describeService();
const { region } = localAccess;

/** A client at the function URL, signing as the operator. */
const signing = (more: Partial<ManagementClientOptions> = {}) =>
  createManagementClient({ url: service.manageUrl, region, credentials: service.accessKey, ...more });

const mintToken = () => service.login.mintToken({ sub: 'operator-of-tests', email: 'operator@example.com' });

/** A client at the HTTP API, with a token of the operator. */
const bearing = () => createManagementClient({ url: service.url, token: mintToken });

let manage: ManagementClient;
beforeAll(() => {
  manage = signing();
});

let next = 0;
let appId = '';
beforeEach(() => {
  appId = `managed-${next++}`;
});

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as ManagementError,
  );

describe.each([
  ['AWS credentials', () => signing(), 'iam'],
  ['a provider of AWS credentials', () => signing({ credentials: async () => service.accessKey }), 'iam'],
  ['a token', bearing, 'token'],
])('with %s', (_, create, via) => {
  test('the service answers a read and takes a write', async () => {
    const client = create();
    expect(await client.call('get-operator', {})).toMatchObject({ via });
    await client.call('create-application', { body: { appId, name: 'Managed' } });
    expect(await client.call('get-application', { path: { appId } })).toMatchObject({ name: 'Managed' });
  });
});

test('wrong credentials are refused', async () => {
  const credentials = { ...service.accessKey, secretAccessKey: 'another' };
  const error = await failureOf(signing({ credentials }).call('get-operator', {}));
  expect(error).toBeInstanceOf(ManagementError);
  expect(error).toMatchObject({ name: 'ManagementError', code: 'unexpected_answer', status: 403, isSent: true });
});

test('a refusal has the problem document of the service', async () => {
  const error = await failureOf(manage.call('get-application', { path: { appId } }));
  expect(error).toMatchObject({ code: 'application_not_found', status: 404, requestId: expect.any(String) });
  expect(error?.problem).toMatchObject({ code: 'application_not_found', title: expect.any(String), status: 404 });
});

test('a version that is no longer current is refused', async () => {
  await manage.call('create-application', { body: { appId, name: 'One' } });
  const update = (ifMatch: number) =>
    manage.call('update-application', { path: { appId }, body: { name: `Name ${ifMatch}` } }, { ifMatch });
  const { version } = await update(1);
  expect(await failureOf(update(1))).toMatchObject({ code: 'version_mismatch', status: 412 });
  expect(await update(version)).toMatchObject({ name: `Name ${version}` });
});

/** Loses the answers of some requests, after the service has acted on them. */
function losing(isLost: (request: number) => boolean) {
  const keys: (string | undefined)[] = [];
  const send: ManagementClientOptions['fetch'] = async (url, init) => {
    keys.push(new Headers(init.headers).get('idempotency-key') ?? undefined);
    const answer = await fetch(url, init);
    if (!isLost(keys.length)) return answer;
    await answer.text();
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });
  };
  return { keys, fetch: send };
}

describe('a lost answer', () => {
  test('is repeated with the same key, and the write takes effect once', async () => {
    const { keys, fetch: lossy } = losing((request) => request === 1);
    const created = await signing({ fetch: lossy }).call('create-application', { body: { appId, name: 'Once' } });
    expect(created).toMatchObject({ appId, version: 1 });
    expect(keys).toEqual([keys[0], keys[0]]);
    const { items } = await manage.call('list-application-changes', { path: { appId } });
    expect(items.map(({ action }) => action)).toEqual(['application.created']);
  });

  test('is answered to a later process that passes the key', async () => {
    const body = { appId, name: 'Later' };
    const idempotencyKey = `later-${appId}`;
    const once = signing({ fetch: losing(() => true).fetch, maxAttempts: 1 });
    const lost = await failureOf(once.call('create-application', { body }, { idempotencyKey }));
    expect(lost).toMatchObject({ code: 'no_answer', detail: 'socket hang up', isSent: true });
    expect(await manage.call('create-application', { body }, { idempotencyKey })).toMatchObject({ appId });
    expect(await failureOf(manage.call('create-application', { body }))).toMatchObject({ code: 'already_exists' });
  });

  test('may be that of a write, although a retry found no service', async () => {
    let request = 0;
    const { fetch: lossy } = losing(() => true);
    const stopped = signing({ fetch: (...sending) => (request++ === 0 ? lossy(...sending) : dead()), maxAttempts: 2 });
    const failed = await failureOf(stopped.call('create-application', { body: { appId, name: 'Sent' } }));
    expect(failed).toMatchObject({ code: 'no_answer', detail: 'gone', isSent: true });
  });
});

test('the token that was rejected is named, also if another call has read a newer one meanwhile', async () => {
  let token = 'old';
  const rejected: (string | undefined)[] = [];
  let release = () => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = createManagementClient({
    url: 'https://auth.example.com',
    token: (before) => {
      if (before !== undefined) rejected.push(before);
      return token;
    },
    fetch: async (_, { headers }) => {
      const isOld = new Headers(headers).get('authorization') === 'Bearer old';
      if (isOld) await waiting;
      return Response.json({}, { status: isOld ? 401 : 200 });
    },
  });
  const first = client.call('get-operator', {});
  await new Promise(setImmediate);
  token = 'new';
  await client.call('get-operator', {});
  release();
  expect([await first, rejected]).toEqual([{}, ['old']]);
});

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

test('pages and items read a whole list, from a cursor too', async () => {
  await manage.call('create-application', { body: { appId, name: 'Roles' } });
  const roles = ['a', 'b', 'c', 'd', 'e'];
  for (const role of roles) await manage.call('define-role', { path: { appId, role }, body: {} });
  const input = { path: { appId }, query: { limit: 2 } };
  const pages = await collect(manage.pages('list-roles', input));
  expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  const named = await collect(manage.items('list-roles', input));
  expect(named.map(({ role }) => role)).toEqual(roles);
  const query = { limit: 2, cursor: pages[0]?.cursor ?? undefined };
  const rest = await collect(manage.items('list-roles', { path: { appId }, query }));
  expect(rest.map(({ role }) => role)).toEqual(['c', 'd', 'e']);
});

test('a bulk run that failed resumes where it stopped', async () => {
  await manage.call('create-application', { body: { appId, name: 'Bulk' } });
  const userIds = Array.from({ length: 8 }, (_, n) => `${appId}-${n}`);
  for (const userId of userIds) await manage.call('create-user', { path: { userId }, body: {} });
  const outcomes = new Map<string, BulkOutcome>();
  const bulkId = newBulkId();
  const sent: string[] = [];
  const progress: string[] = [];
  const run = (client: ManagementClient) =>
    runBulk({
      userIds: [...userIds, 'nobody-knows'],
      bulkId,
      outcomes,
      batches: (ids) => ids.map((id) => [id]),
      send: ({ idempotencyKey, ...batch }) => {
        sent.push(...batch.userIds);
        const body = { ...batch, status: 'disabled' as const };
        return client.call('set-access-in-bulk', { path: { appId }, body }, { idempotencyKey });
      },
      onOutcomes: (_, { done, total }) => progress.push(`${done}/${total}`),
    });
  let requests = 0;
  const failing = signing({
    maxAttempts: 1,
    fetch: async (...sending) => (requests++ < 5 ? fetch(...sending) : dead()),
  });
  expect(await failureOf(run(failing))).toMatchObject({ code: 'no_answer' });
  const before = new Set(outcomes.keys());
  expect([before.size, progress.at(-1)]).toEqual([5, '5/9']);
  sent.length = 0;
  await run(manage);
  expect(sent.toSorted()).toEqual([...userIds, 'nobody-knows'].filter((id) => !before.has(id)).toSorted());
  expect(userIds.map((id) => outcomes.get(id)?.outcome)).toEqual(userIds.map(() => 'changed'));
  expect(outcomes.get('nobody-knows')).toMatchObject({ outcome: 'failed', problem: { code: 'user_not_found' } });
  const { items } = await manage.call('list-application-users', {
    path: { appId },
    query: { effectiveStatus: 'disabled' },
  });
  expect(items.map(({ userId }) => userId).toSorted()).toEqual(userIds);
});

function dead(): Promise<Response> {
  return Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }) }),
  );
}

test('every operation reaches the service, which knows it', async () => {
  const unknown: string[] = [];
  for (const [name, operation] of Object.entries(manageOperations)) {
    const input = exampleRequest(operation, 'ada') as never;
    const error = await failureOf(manage.call(name as 'get-operator', input));
    if (error !== undefined && (error.problem === undefined || error.code === 'route_not_found'))
      unknown.push(`${name}: ${error}`);
  }
  expect(unknown).toEqual([]);
});

test('a failing hook does not fail the call', async () => {
  const seen: string[] = [];
  const onResponse = ({ outcome }: { readonly outcome: string }) => {
    seen.push(outcome);
    throw new Error('of the hook');
  };
  expect(await signing({ hooks: { onResponse } }).call('get-operator', {})).toMatchObject({ via: 'iam' });
  expect(seen).toEqual([expect.stringMatching(/^200/)]);
});

describe('requests', () => {
  const answers: { status: number; headers?: Record<string, string>; body?: unknown }[] = [];
  const seen: { readonly authorization: string | undefined; readonly key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { authorization, 'idempotency-key': key } = request.headers;
    seen.push({ authorization, key: key?.toString() });
    const { status, headers = {}, body = {} } = answers.shift() ?? { status: 200 };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  let url = '';
  beforeAll(async () => {
    url = `http://127.0.0.1:${await listenOn(server, 0)}`;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    answers.length = 0;
    seen.length = 0;
  });
  const stubbed = (token: ManagementClientOptions['token'] = 'mine') =>
    createManagementClient({ url, token: token ?? '' });

  test.each([429, 503])('are repeated after a %i with the same key', async (status) => {
    answers.push({ status }, { status }, { status: 200, body: { appId } });
    expect(await stubbed().call('create-application', { body: { appId, name: '' } })).toEqual({ appId });
    expect(seen).toEqual([seen[0], seen[0], seen[0]]);
  });

  test('are repeated until a 202 is complete', async () => {
    answers.push({ status: 202, body: { complete: false } }, { status: 200, body: { changed: true, complete: true } });
    expect(await stubbed().call('delete-user', { path: { userId: 'ada' } })).toMatchObject({ complete: true });
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  });

  test('get another token once after a 401, if there is one', async () => {
    answers.push({ status: 401 }, { status: 200, body: { id: 'me' } }, { status: 401 });
    const given: (string | undefined)[] = [];
    const client = stubbed((rejected) => {
      given.push(rejected);
      return given.includes('old') ? 'new' : 'old';
    });
    expect(await client.call('get-operator', {})).toEqual({ id: 'me' });
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(given.filter((rejected) => rejected !== undefined)).toEqual(['old']);
    expect(await failureOf(client.call('get-operator', {}))).toMatchObject({ status: 401 });
  });

  test('end when the signal aborts', async () => {
    const stopping = new AbortController();
    answers.push({ status: 503, headers: { 'retry-after': '5' } });
    const call = failureOf(stubbed().call('get-operator', {}, { signal: stopping.signal }));
    stopping.abort(new Error('enough'));
    expect(await call).toMatchObject({ code: 'aborted' });
  });

  test('an answer that is not JSON is not taken for one', async () => {
    const client = createManagementClient({ url, token: 'x', fetch: async () => new Response('<html>') });
    expect(await failureOf(client.call('get-operator', {}))).toMatchObject({ code: 'unexpected_answer', status: 200 });
  });
});

test.each<[string, Partial<ManagementClientOptions>, string]>([
  ['another host without TLS', { url: 'http://auth.example.com' }, 'url of createManagementClient is not valid'],
  ['a path', { url: 'https://auth.example.com/x' }, 'url of createManagementClient is not valid'],
  ['an empty token', { token: '' }, 'token of createManagementClient is missing'],
  ['a token beside credentials', { profile: 'ops' }, 'token of createManagementClient is not valid'],
  ['an unknown hook', { hooks: { onAnswer: () => {} } as object }, 'hooks has no option onAnswer'],
  ['an unknown option', { tokens: 'x' } as object, 'did you mean token?'],
])('%s is refused', (_, options, message) => {
  expect(() => createManagementClient({ url: 'https://auth.example.com', token: 'x', ...options })).toThrow(message);
});
