import { describe, expect, test } from '@jest/globals';
import { oktaPayload } from '#test/support/hook-payloads.ts';
import { oktaCommands, oktaDenial, readOktaRequest } from '../okta-hook.ts';
import { rolesClaim, userIdOf } from '../token-request.ts';

const read = (payload: object = oktaPayload()) => readOktaRequest(payload);
const added = (type: string) => ({
  type,
  value: [{ op: 'add', path: '/claims/app_roles', value: ['editor'] }],
});
const [ofIdentity, ofAccess] = [added('com.okta.identity.patch'), added('com.okta.access.patch')];

describe('patches only the tokens that are requested', () => {
  test.each([
    ['both', ['identity', 'access'], [ofIdentity, ofAccess]],
    ['the ID token', ['identity'], [ofIdentity]],
    ['the access token', ['access'], [ofAccess]],
    ['none', [], []],
  ] as const)('%s', (_, tokens, commands) => {
    expect(oktaCommands(read(oktaPayload({ tokens })), ['editor'])).toEqual({ commands });
  });

  test('a token that is described without claims is not requested', () => {
    const payload = oktaPayload({ tokens: ['access'] });
    const answer = oktaCommands(read({ ...payload, data: { ...payload.data, identity: {} } }), ['editor']);
    expect(answer).toEqual({ commands: [ofAccess] });
  });
});

test('a user without roles gets an empty list, so that the claim of somebody else cannot be left in place', () => {
  const [command] = (oktaCommands(read(), []) as { commands: { value: object[] }[] }).commands;
  expect(command?.value).toEqual([{ op: 'add', path: '/claims/app_roles', value: [] }]);
});

test('the claim is none of those that Okta reserves', () => {
  const reserved = {
    access: [
      'acr',
      'amr',
      'as_uri',
      'cid',
      'groups',
      'rpt',
      'rsi',
      'uid',
      'username',
      'iss',
      'jti',
      'token_type',
      'ver',
    ],
    identity: [
      'active',
      'group',
      'groups',
      'role',
      'permissions',
      'scope',
      'scopes',
      'app_id',
      'app_type',
      'client_id',
    ],
  };
  expect([...reserved.access, ...reserved.identity]).not.toContain(rolesClaim);
});

test('a denial is an error with a summary, the only form that stops the tokens', () => {
  expect(oktaDenial('No access')).toEqual({ error: { errorSummary: 'No access' } });
});

describe('who the user is', () => {
  const userId = (claim: string | null, payload: object = oktaPayload()) => {
    const { user } = read(payload);
    return user && userIdOf(user, claim);
  };

  test.each([
    [null, '00uq8tMo3zV0OfJON0g3'],
    ['login', 'ada@example.com'],
    ['uid', '00uq8tMo3zV0OfJON0g3'],
    ['preferred_username', 'ada@example.com'],
    ['employeeNumber', 'E1'],
    // The ID token has the id, the access token the login.
    ['sub', undefined],
    // Not text.
    ['ver', undefined],
    ['missing', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
  ])('by the claim %s: %s', (claim, id) => {
    expect(userId(claim)).toBe(id);
  });

  test('by a claim with the name of a member that every object inherits', () => {
    const claims = [{ constructor: 'ada' }, {}] as unknown as readonly Readonly<Record<string, unknown>>[];
    expect(userIdOf({ id: undefined, claims }, 'constructor')).toBe('ada');
  });

  test('nobody, if Okta names no user', () => {
    const payload = oktaPayload({ user: null });
    expect([userId(null, payload), userId('login', payload)]).toEqual([undefined, undefined]);
    expect(read(payload).user).toBeDefined();
  });

  test('no user logs in with client credentials; a client that only says so does not hide its user', () => {
    expect(read(oktaPayload({ user: null, grant: 'client_credentials', tokens: ['access'] })).user).toBeUndefined();
    expect(userId(null, oktaPayload({ grant: 'client_credentials' }))).toBe('00uq8tMo3zV0OfJON0g3');
  });
});

describe('refuses', () => {
  const { data, ...event } = oktaPayload();
  const { context } = data;
  test.each([
    ['another event', { ...event, eventType: 'com.okta.saml.tokens.transform', data }, 'eventType must be'],
    ['no event', {}, 'eventType is missing'],
    ['no data', event, 'data is missing'],
    ['a list', { ...event, data: [] }, 'data must be an object'],
    [
      'a client without an id',
      { ...event, data: { context: { ...context, protocol: { client: {} } } } },
      'client.id is',
    ],
    ['a user id that is a number', { ...event, data: { context: { ...context, user: { id: 7 } } } }, 'user.id must be'],
    ['an empty user id', { ...event, data: { context: { ...context, user: { id: '' } } } }, 'user.id must not be'],
    ['claims that are a list', { ...event, data: { context, access: { claims: [] } } }, 'access.claims must be'],
  ])('%s', (_, body, detail) => {
    expect(() => readOktaRequest(body)).toThrow(detail);
  });
});
