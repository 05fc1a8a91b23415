import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ConnectionOptions, newConnection } from '#options/connections/test/support/new-connection.ts';
import type { ConnectionId, KeyId } from '#shared/contract/fields.ts';
import { alterItem } from '#test/support/alter-item.ts';
import { describeService } from '#test/support/describe-service.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';
import { operator } from '#test/support/start-service.ts';
import { fromNow } from '#test/support/timestamps.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';
import { maxEvaluations } from '../evaluation-request.ts';

const one = ['POST', '/access/v1/evaluation'] as const;
const many = ['POST', '/access/v1/evaluations'] as const;
const service = describeService();
let sdk: WatchedSdk;
let appId: string;
let token: string;
beforeAll(async () => {
  sdk = await watchServiceTable();
  appId = await newApplication(['editor', 'viewer']);
  ({ token } = await newConnection([appId, 'wiki'], 'gateway'));
  await grantRole('ada', appId, 'editor');
  await setStatus('grace', appId, 'disabled');
  await recordKeyUse(sdk, () => ask('ada', 'enter'));
});
beforeEach(() => {
  sdk.requests.length = 0;
});

const question = (user: string, action = 'enter', application = appId) => ({
  subject: { type: 'user', id: user },
  action: { name: action },
  resource: { type: 'application', id: application },
});
const ask = (user: string, action?: string, application?: string) =>
  sendWithToken(service, one, { token, body: question(user, action, application) });

describe('POST /access/v1/evaluation', () => {
  test('answers whether a user may enter, with the reasons, from one request to the table', async () => {
    const { status, headers, body } = await ask('ada', 'enter');
    expect([status, body]).toEqual([
      200,
      {
        decision: true,
        context: { userStatus: 'active', effectiveStatus: 'enabled', decidedBy: 'default', roles: ['editor'] },
      },
    ]);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  test('an action other than enter needs the role of its name', async () => {
    expect((await ask('ada', 'editor')).body.decision).toBe(true);
    const { status, body } = await ask('ada', 'viewer');
    expect([status, body.decision, body.context.code]).toEqual([200, false, 'role_missing']);
  });

  test('denies the blocked, the inactive and the unknown with 200', async () => {
    const inactive = await newUser();
    const { setUserStatus } = await import('#shared/domain/user/users.ts');
    await setUserStatus({ userId: inactive as never, status: 'inactive', reason: null }, operator);
    expect((await ask('grace')).body).toMatchObject({ decision: false, context: { decidedBy: 'explicit' } });
    expect((await ask(inactive)).body).toMatchObject({ decision: false, context: { userStatus: 'inactive' } });
    for (const unknown of ['nobody', 'not a user id', '..', '']) {
      const { status, body } = await ask(unknown);
      expect([unknown, status, body.decision ?? false]).toEqual([unknown, unknown === '' ? 400 : 200, false]);
    }
  });

  test('an application that the connection does not name is answered like one that does not exist', async () => {
    const expected = { decision: false, context: { code: 'application_not_allowed' } };
    expect((await ask('ada', 'enter', 'billing')).body).toEqual(expected);
    expect((await ask('ada', 'enter', 'no-such-application')).body).toEqual(expected);
    expect((await ask('ada', 'enter', 'wiki')).body.decision).toBe(true);
  });

  test('decides only about users and applications', async () => {
    for (const part of ['subject', 'resource'] as const) {
      const asked = { ...question('ada'), [part]: { type: 'document', id: 'ada' } };
      const { status, body } = await sendWithToken(service, one, { token, body: asked });
      expect([status, body]).toEqual([200, { decision: false, context: { code: 'unknown_type' } }]);
    }
  });

  test('echoes the X-Request-ID, unless it could not be a header', async () => {
    const withId = (id: string) =>
      sendWithToken(service, one, { token, body: question('ada'), headers: { 'x-request-id': id } });
    expect((await withId('bfe9eb29-ab87-4ca3-be83-a1d5d8305716')).headers['x-request-id']).toMatch(/^bfe9eb29/);
    expect((await withId('x'.repeat(201))).headers['x-request-id']).not.toContain('xx');
  });

  test.each([
    ['no JSON', { body: '{', headers: {} }],
    ['another content type', { body: JSON.stringify({}), headers: { 'content-type': 'text/plain' } }],
    ['no body', { body: '', headers: {} }],
    ['a list', { body: '[]', headers: {} }],
    ['no subject', { body: JSON.stringify({ action: { name: 'enter' } }), headers: {} }],
  ])('answers 400 with a text to %s, without a request to the table', async (_, options) => {
    const { status, headers, body } = await sendWithToken(service, one, { token, ...options });
    expect([status, typeof body, headers['content-type']]).toEqual([400, 'string', 'application/json']);
    expect(sdk.requests).toEqual([]);
  });
});

describe('POST /access/v1/evaluations', () => {
  test('answers questions in their order, with defaults, from one request to the table', async () => {
    const body = {
      subject: question('ada').subject,
      resource: question('ada').resource,
      evaluations: [
        { action: { name: 'enter' } },
        { action: { name: 'viewer' } },
        { action: { name: 'enter' }, subject: { type: 'user', id: 'grace' } },
        { action: 7 },
      ],
    };
    const { status, body: answer } = await sendWithToken(service, many, { token, body });
    const decisions = answer.evaluations.map(({ decision }: { decision: boolean }) => decision);
    expect([status, decisions]).toEqual([200, [true, false, false, false]]);
    expect(sdk.requests).toHaveLength(1);
    const options = { evaluations_semantic: 'deny_on_first_deny' };
    const short = await sendWithToken(service, many, { token, body: { ...body, options } });
    expect(short.body.evaluations).toHaveLength(2);
  });

  test('answers the most questions that a request may have with one request to the table', async () => {
    const applications = await Promise.all(Array.from({ length: 20 }, () => newApplication()));
    const wide = await newConnection(applications);
    const evaluations = await Promise.all(
      Array.from({ length: maxEvaluations }, async (_, n) => question(await newUser(), 'enter', applications[n % 20])),
    );
    await sendWithToken(service, many, { token: wide.token, body: { evaluations: evaluations.slice(0, 1) } });
    sdk.requests.length = 0;
    const { body } = await sendWithToken(service, many, { token: wide.token, body: { evaluations } });
    expect(body.evaluations.map(({ decision }: { decision: boolean }) => decision)).toEqual(
      evaluations.map(() => true),
    );
    expect(sdk.requests).toHaveLength(1);
    const more = { evaluations: [...evaluations, evaluations[0]] };
    expect((await sendWithToken(service, many, { token: wide.token, body: more })).status).toBe(400);
  });
});

describe('the token of a connection', () => {
  const status = async (options: Parameters<typeof sendWithToken>[2]) =>
    (await sendWithToken(service, one, { body: question('ada'), ...options })).status;
  const issued = (options?: ConnectionOptions) => newConnection([appId], undefined, options);

  test('a missing or forged one is refused without a request to the table', async () => {
    expect(await status({})).toBe(401);
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`;
    for (const authorization of [`Bearer ${forged}`, `Basic ${token}`, token, `Bearer ${token} ${token}`, 'Bearer']) {
      const { status: refused, headers } = await sendWithToken(service, one, {
        body: question('ada'),
        headers: { authorization },
      });
      expect([authorization === token, refused, headers['www-authenticate']]).toEqual([
        authorization === token,
        401,
        'Bearer',
      ]);
    }
    expect(sdk.requests).toEqual([]);
    expect(await status({ headers: { authorization: `bEARER  ${token}` } })).toBe(200);
  });

  test('one that was revoked, has expired or whose connection was deleted is refused', async () => {
    const { revokeConnectionKey } = await import('#options/connections/server/connection-keys.ts');
    const { deleteConnection } = await import('#options/connections/server/delete-connection.ts');
    const revoked = await issued();
    expect(await status({ token: revoked.token })).toBe(200);
    await revokeConnectionKey({ connectionId: revoked.connectionId, keyId: revoked.keyId }, operator);
    expect(await status({ token: revoked.token })).toBe(401);
    const brief = await issued();
    await alterItem(
      service,
      [`CONNECTION#${brief.connectionId}`, 'CONNECTION'],
      ['keys', brief.keyId, 'expiresAt'],
      fromNow(-1),
    );
    expect(await status({ token: brief.token })).toBe(401);
    const gone = await issued();
    await deleteConnection({ connectionId: gone.connectionId as ConnectionId }, operator);
    expect(await status({ token: gone.token })).toBe(401);
  });

  test('both tokens of a rotation work during the overlap, and only the new one after it', async () => {
    const { rotateConnectionKey } = await import('#options/connections/server/connection-keys.ts');
    const old = await issued();
    const rotation = { connectionId: old.connectionId, keyId: old.keyId };
    const next = await rotateConnectionKey({ ...rotation, overlapSeconds: 3600 }, operator);
    expect([await status({ token: old.token }), await status({ token: next.token })]).toEqual([200, 200]);
    const last = await rotateConnectionKey({ ...rotation, keyId: next.keyId, overlapSeconds: 0 }, operator);
    expect([await status({ token: next.token }), await status({ token: last.token })]).toEqual([401, 200]);
  });

  test('without the scope roles:read no question may name a role, and no answer has roles', async () => {
    const narrow = await issued({ scopes: ['access:read'] });
    const { body } = await sendWithToken(service, one, { token: narrow.token, body: question('ada') });
    expect([body.decision, 'roles' in body.context]).toEqual([true, false]);
    const named = await sendWithToken(service, one, { token: narrow.token, body: question('ada', 'editor') });
    expect([named.status, named.body]).toEqual([403, expect.stringContaining('roles:read')]);
  });

  test('its use is recorded, and shown with the connection', async () => {
    const { getConnection } = await import('#options/connections/server/connections.ts');
    const { connectionId, keyId, token: used } = await issued();
    await status({ token: used });
    const { keys } = await getConnection({ connectionId });
    expect(keys).toMatchObject([{ keyId: keyId as KeyId, lastUsedOn: new Date().toISOString().slice(0, 10) }]);
  });
});

test('the metadata name the endpoints of the host, and need no token', async () => {
  const { status, body } = await sendWithToken(service, ['GET', '/.well-known/authzen-configuration']);
  const base = `https://${new URL(service.url).host}`;
  expect([status, body]).toEqual([
    200,
    {
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
    },
  ]);
});
