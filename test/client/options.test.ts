import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { postLogin } from '../../client/auth0.ts';
import { tokenTrigger } from '../../client/cognito.ts';
import * as express from '../../client/express.ts';
import * as fastify from '../../client/fastify.ts';
import { checkRequest } from '../../client/guard.ts';
import * as hono from '../../client/hono.ts';
import { AuthServiceClient, SignatureError, signRequest } from '../../client/index.ts';
import { createAccessReplica } from '../../client/replica.ts';
import { createFakeAuthService } from '../../client/testing.ts';
import { buildFake } from './built-fake.ts';
import { access, errorOf, stubFetch, testKey } from './client-fixture.ts';

const { requests, fetch } = stubFetch(() => Response.json(access));
const settings = { baseUrl: 'https://auth.example.com', fetch };
const client = new AuthServiceClient({ ...settings, ...testKey });

beforeEach(() => {
  requests.length = 0;
});
afterEach(() => {
  expect(requests).toEqual([]);
});

type Make = (options: never) => unknown;

/** Functions that take options, with valid options. */
const makers = {
  client: [(options: never) => new AuthServiceClient(options), { ...settings, ...testKey }],
  Express: [express.guard, { source: client, userId: () => 'ada' }],
  Fastify: [fastify.guard, { source: client, userId: () => 'ada' }],
  plugin: [fastify.guardPlugin, { source: client, userId: () => 'ada' }],
  Hono: [hono.guard, { source: client, userId: () => 'ada' }],
  checkRequest: [(options: never) => checkRequest({}, options), { source: client, userId: () => '' }],
  Cognito: [
    (options: never) => tokenTrigger(options),
    { applications: { web: { source: client } }, userId: () => 'ada' },
  ],
  Auth0: [
    (options: never) => postLogin(options),
    { applications: { web: { source: client } }, userId: () => 'ada', claim: 'https://a.b/roles' },
  ],
  replica: [createAccessReplica, { client }],
  fake: [createFakeAuthService, {}],
} as const satisfies Record<string, readonly [Make, object]>;

type Made = keyof typeof makers;
const guards = ['Express', 'Fastify', 'plugin', 'Hono', 'checkRequest'] as const;

/** The error message for these options instead of the valid ones. */
async function refusalOf(made: Made, options: object): Promise<string> {
  const [make, valid] = makers[made];
  const all = Object.assign(Object.create(Object.getPrototypeOf(options)), valid, options);
  return messageOf(async () => make(all as never));
}

/** Not with `instanceof`: Node's error classes differ from those of Jest's globals. */
async function messageOf(run: () => Promise<unknown>): Promise<string> {
  const outcome = await run().then(
    (answer) => ({ answer }),
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject({ name: 'TypeError' });
  return (outcome as TypeError).message;
}

test.each([
  ...guards.map((guard) => [guard, { roles: ['editor'] }, 'guard has no option roles: did you mean role?'] as const),
  ['Express', { showreason: true }, 'guard has no option showreason: did you mean showReason?'],
  ['Express', { onDeny: () => {} }, 'guard has no option onDeny: did you mean onDenied?'],
  [
    'Hono',
    { if: 1 },
    'no option if: it has source, userId, role, challenge, showReason, whenUnavailable, onDenied, onDecision',
  ],
  ['Cognito', { clients: {} }, 'tokenTrigger has no option clients: it has applications'],
  ['Auth0', { whenunavailable: 'allow' }, 'postLogin has no option whenunavailable: did you mean whenUnavailable?'],
  ['client', { timeout: 5 }, 'AuthServiceClient has no option timeout: did you mean timeoutSeconds?'],
  ['client', { base_url: 'x' }, 'AuthServiceClient has no option base_url: did you mean baseUrl?'],
  ['client', { constructor: 1 }, 'AuthServiceClient has no option constructor: it has baseUrl, keyId, secret, '],
  ['client', { circuit: { timeout: 1 } }, 'circuit has no option timeout: did you mean timeouts?'],
  ['client', { hooks: { onRetries: () => {} } }, 'hooks has no option onRetries: did you mean onRetry?'],
  ['client', { key: testKey }, 'AuthServiceClient has no option keyId: did you mean key?'],
  ['replica', { pollSecs: 1 }, 'createAccessReplica has no option pollSecs: did you mean pollSeconds?'],
  ['fake', { user: ['ada'] }, 'createFakeAuthService has no option user: did you mean users?'],
] as const)('%s rejects unknown options: %o', async (made, options, message) => {
  expect(await refusalOf(made, options)).toContain(message);
  // Inherited members count too.
  expect(await refusalOf(made, Object.create(options))).toContain(message);
});

const functions = ['text', {}, null, true];
const booleans = ['false', 0, null];
const seconds = [0, -1, Number.NaN, '5', null, 1e7, Number.POSITIVE_INFINITY];

test.each([
  ['client', 'baseUrl', [undefined, null, '', 'auth.example.com', 'ftp://auth.example.com', 7, {}]],
  ['client', 'keyId', [undefined, null, '', 'svk_', 'svk_k1_01JD', 7, {}]],
  ['client', 'secret', [undefined, null, '', 'svs_short', 7, {}, testKey]],
  ['client', 'timeoutSeconds', [...seconds, 300.1]],
  ['client', 'maxAttempts', [0, -1, Number.NaN, '4', null, 101, Number.POSITIVE_INFINITY]],
  ['client', 'circuit', [null, true, 3]],
  ['client', 'hooks', [null, true]],
  ['client', 'allowHttp', booleans],
  ['client', 'fetch', functions],
  ['client', 'now', functions],
  ...guards.flatMap(
    (guard) =>
      [
        [guard, 'source', [undefined, null, {}, Promise.resolve(client), { checkOrAsk: true }]],
        [guard, 'userId', [undefined, ...functions]],
        [guard, 'role', [undefined, null, '', [], ['editor', undefined], ['editor', ''], 7, [['editor']]]],
        [guard, 'challenge', ['', null, 'Bearer\r\nset-cookie: a=b', 7]],
        [guard, 'showReason', booleans],
        [guard, 'whenUnavailable', ['open', '', null, true]],
        [guard, 'onDenied', functions],
        [guard, 'onDecision', functions],
      ] as const,
  ),
  ['replica', 'client', [undefined, null, {}, { getAccess: () => access }]],
  ['replica', 'pollSeconds', seconds],
  ['replica', 'maxStalenessSeconds', seconds],
  ['replica', 'startTimeoutSeconds', seconds],
  ['replica', 'whenStale', ['guess', '', null, 'toString']],
  ['replica', 'file', ['', null, 7, {}]],
  ['replica', 'onChange', functions],
  ['replica', 'onError', functions],
  ['fake', 'appId', ['', null, 'a_b', 'A']],
  ['fake', 'users', ['ada', null, ['a b'], [7]]],
  ['fake', 'roles', ['editor', null, [''], [7]]],
  ['fake', 'rolloutPercent', [-1, 101, Number.NaN, '50', null]],
] as const)('%s rejects a %s that is missing or invalid, and says what it must be', async (made, name, values) => {
  for (const value of values) {
    const message = await refusalOf(made, { [name]: value });
    const state = value === undefined || value === null || value === '' ? 'missing' : 'not valid';
    expect([value, message]).toEqual([value, expect.stringMatching(`^${name} of \\w+ is ${state}: it must be .`)]);
  }
});

test.each([
  ['circuit', 'timeouts', [0, -1, '3', Number.NaN, null]],
  ['circuit', 'openSeconds', seconds],
  ['hooks', 'onRequest', functions],
  ['hooks', 'onResponse', functions],
  ['hooks', 'onRetry', functions],
] as const)('the client rejects %s with an invalid %s', async (group, name, values) => {
  for (const value of values)
    expect(await refusalOf('client', { [group]: { [name]: value } })).toMatch(`${name} of ${group} is `);
});

test('the error about missing options names a required one', async () => {
  for (const nothing of [undefined, null]) {
    for (const guard of guards)
      expect(await messageOf(async () => makers[guard][0](nothing as never))).toContain('source of guard is missing');
    expect(await messageOf(async () => makers.client[0](nothing as never))).toContain('baseUrl of AuthServiceClient');
    expect(await messageOf(async () => makers.replica[0](nothing as never))).toContain('client of createAccessReplica');
  }
});

test('undefined options count as omitted, except role', async () => {
  const nothing = { circuit: undefined, hooks: undefined, allowHttp: undefined, fetch: undefined };
  const numbers = { timeoutSeconds: undefined, maxAttempts: undefined };
  const options = { baseUrl: 'https://auth.example.com', ...testKey, ...nothing, ...numbers };
  expect(() => new AuthServiceClient(options as never)).not.toThrow();
});

test('the limits are inclusive', () => {
  for (const options of [
    { timeoutSeconds: 300, maxAttempts: 1 },
    { timeoutSeconds: 0.001, maxAttempts: 100 },
    { circuit: { timeouts: Number.POSITIVE_INFINITY, openSeconds: 0.2 } },
    { circuit: { timeouts: 1 }, allowHttp: false, hooks: {} },
  ])
    expect(() => new AuthServiceClient({ ...settings, ...testKey, ...options })).not.toThrow();
});

describe('a key', () => {
  const wrongKeys = [undefined, null, '', {}, { ...testKey, secret: undefined }, { ...testKey, keyId: '' }];

  test.each(wrongKeys)('%o as the option is rejected before anything is sent', async (key) => {
    const message = await messageOf(async () => new AuthServiceClient({ ...settings, key } as never));
    expect(message).toMatch(/^(key|keyId|secret) of [\w ]+ is (missing|not valid): it must be /);
  });

  test.each(wrongKeys)('%o from a function fails each call, without a request or a retry', async (key) => {
    const mine = new AuthServiceClient({ ...settings, key: async () => key as never });
    const error = await errorOf(mine.isAllowed('ada'));
    expect(error).toBeInstanceOf(SignatureError);
    expect(error).toMatchObject({ code: 'key_invalid', attempts: 0 });
    expect(error.detail).toMatch(/(keyId|secret) of the API key is (missing|not valid): it must be /);
    await expect(createAccessReplica({ client: mine })).rejects.toMatchObject({ code: 'key_invalid' });
  });

  test('may have other members, like the file of an issued key', async () => {
    const issued = { ...testKey, appId: 'billing', scopes: ['access:read'] };
    expect(() => new AuthServiceClient({ ...settings, key: issued })).not.toThrow();
    const request = new Request('https://auth.example.com/api/service/access');
    expect((await signRequest(request, issued)).headers.has('signature')).toBe(true);
  });

  test('that is already imported must sign by HMAC with SHA-256', async () => {
    const importAs = (algorithm: object, usage: 'sign' | 'verify') =>
      crypto.subtle.importKey('raw', new Uint8Array(32), algorithm as never, false, [usage]);
    const [good, otherHash, verifies] = await Promise.all([
      importAs({ name: 'HMAC', hash: 'SHA-256' }, 'sign'),
      importAs({ name: 'HMAC', hash: 'SHA-512' }, 'sign'),
      importAs({ name: 'HMAC', hash: 'SHA-256' }, 'verify'),
    ]);
    expect(() => new AuthServiceClient({ ...settings, ...testKey, secret: good })).not.toThrow();
    for (const secret of [otherHash, verifies])
      expect(await refusalOf('client', { secret })).toContain('secret of AuthServiceClient is not valid');
  });

  test('without a secret is rejected by signRequest', async () => {
    const request = new Request('https://auth.example.com/api/service/access');
    const refused = messageOf(() => signRequest(request, { ...testKey, secret: undefined } as never));
    expect(await refused).toContain('secret of the API key is missing');
  });
});

const everywhere = ['baseUrl', 'keyId', 'timeoutSeconds', 'source', 'userId', 'client', 'whenStale', 'other'];

test.each(everywhere)('no message shows a secret that was passed as %s', async (name) => {
  for (const made of Object.keys(makers) as Made[])
    for (const value of [testKey.secret, [testKey.secret], { secret: testKey.secret }])
      expect(await refusalOf(made, { [name]: value })).not.toContain(testKey.secret.slice(4));
});

test('later changes of the options do not change a guard', async () => {
  const options = { source: { getAccess: () => ({ ...access, decidedBy: 'default' }) }, userId: () => 'ada' };
  const role = ['editor'];
  const later: Record<string, unknown> = { ...options, role };
  const check = hono.guard(later as never);
  delete later.role;
  role.push('viewer');
  role.length = 0;
  expect((await check({} as never, async () => {}))?.status).toBe(403);
});

describe('the options of a call', () => {
  const controller = new AbortController();

  test.each([
    [() => client.setAccess('ada', { status: 'enabled' }, { ifversion: 3 } as never), 'did you mean ifVersion?'],
    [() => client.assignRole('ada', 'editor', { maxAttempts: 9 } as never), 'no option maxAttempts'],
    [() => client.revokeRole('ada', 'editor', { reads: true } as never), 'no option reads'],
    [() => client.isAllowed('ada', { signal: controller } as never), 'signal of the call is not valid'],
    [() => client.checkAccess(['ada'], { ifVersion: '3' } as never), 'ifVersion of the call is not valid'],
    [() => client.changes({ since: 'c' } as never).next(), 'no option since'],
    [() => client.changes({ pollSeconds: -1 }).next(), 'pollSeconds of the call is not valid'],
    [() => client.changes({ pollSeconds: Number.NaN }).next(), 'pollSeconds of the call is not valid'],
  ])('%s is rejected before anything is sent', async (call, message) => {
    expect(await messageOf(call)).toContain(message);
  });
});

test('the fake rejects unknown failures', async () => {
  const fake = await (await buildFake()).createFakeAuthService();
  for (const [failure, options, message] of [
    ['no_answer', {}, 'failure'],
    [{ code: 'unknown' }, {}, 'failure'],
    [{ status: '503' }, {}, 'failure'],
    [{}, {}, 'failure'],
    ['hang', { time: 1 }, 'fail has no option time: did you mean times?'],
    ['hang', { times: -1 }, 'times of fail is not valid'],
  ] as const)
    expect(await messageOf(async () => fake.fail(failure as never, options as never))).toContain(message);
});
