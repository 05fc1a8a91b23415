import { describe, expect, test } from '@jest/globals';
import { hydraPayload } from '#test/support/hook-payloads.ts';
import { hydraSession, readHydraRequest } from '../hydra-hook.ts';
import { userIdOf } from '../token-request.ts';

test('the roles are added to the claims that the tokens already have, which the answer replaces as a whole', () => {
  const request = readHydraRequest(
    hydraPayload({ extra: { tenant: 't1' }, ext: { theme: 'dark', app_roles: ['old'] } }),
  );
  expect(hydraSession(request, ['editor'])).toEqual({
    session: {
      access_token: { tenant: 't1', app_roles: ['editor'] },
      id_token: { theme: 'dark', app_roles: ['editor'] },
    },
  });
});

test('standard claims are not repeated among the additional ones, and missing ones are none', () => {
  const { request } = hydraPayload();
  for (const session of [{}, { id_token: null, extra: null }, { id_token: { id_token_claims: { ext: null } } }]) {
    const answer = hydraSession(readHydraRequest({ session, request }), []);
    expect(answer).toEqual({ session: { access_token: { app_roles: [] }, id_token: { app_roles: [] } } });
  }
});

describe('who the user is', () => {
  const userId = (
    claim: string | null,
    payload: object = hydraPayload({ ext: { staff: 'E1' }, extra: { desk: 'D7' } }),
  ) => {
    const { user } = readHydraRequest(payload);
    return user && userIdOf(user, claim);
  };

  test.each([
    [null, 'ada'],
    ['sub', 'ada'],
    ['staff', 'E1'],
    ['desk', 'D7'],
    ['aud', undefined],
    ['missing', undefined],
    ['constructor', undefined],
  ])('by the claim %s: %s', (claim, id) => {
    expect(userId(claim)).toBe(id);
  });

  test('nobody, if a claim says different things', () => {
    expect(userId('staff', hydraPayload({ ext: { staff: 'E1' }, extra: { staff: 'E2' } }))).toBeUndefined();
  });

  test('nobody, if the session has no subject', () => {
    expect(userId(null, hydraPayload({ subject: '' }))).toBeUndefined();
  });

  test('no user logs in with client credentials alone', () => {
    expect(readHydraRequest(hydraPayload({ grants: ['client_credentials'] })).user).toBeUndefined();
    for (const grants of [['refresh_token'], ['client_credentials', 'authorization_code'], ['urn:ietf:params:jwt']]) {
      expect(userId(null, hydraPayload({ grants }))).toBe('ada');
    }
  });
});

describe('refuses', () => {
  const { session, request } = hydraPayload();
  test.each([
    ['no session', { request }, 'session is missing'],
    ['no request', { session }, 'request is missing'],
    ['no client', { session, request: { grant_types: ['refresh_token'] } }, 'request.client_id is missing'],
    ['no grant', { session, request: { ...request, grant_types: [] } }, 'request.grant_types must name the grant'],
    ['grants that are a text', { session, request: { ...request, grant_types: 'refresh_token' } }, 'must be a list'],
    [
      'a subject that is a number',
      { session: { id_token: { subject: 7 } }, request },
      'session.id_token.subject must be',
    ],
    ['claims that are a list', { session: { ...session, extra: [] }, request }, 'session.extra must be an object'],
  ])('%s', (_, body, detail) => {
    expect(() => readHydraRequest(body)).toThrow(detail);
  });
});
