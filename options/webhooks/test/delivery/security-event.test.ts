import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { ApplicationChange } from '#shared/contract/change.ts';
import { judgeAnswer } from '../../delivery/judge-answer.ts';
import { securityEventPost, securityEventsOf, verificationEvent } from '../../delivery/security-event.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signer = { keyId: 'key-1', sign: async (content: string) => sign('sha256', Buffer.from(content), privateKey) };
const at = new Date('2026-11-20T19:14:20.000Z');
const parties = { issuer: 'https://auth.example.com', audience: 'https://app.example.com/hook', at };
const change = { id: '01KAH4N7Z3QF4V6E5T8S9R2W1X', at: '2026-11-20T19:14:11.123Z', userId: 'ada' };
const [session, disabled, enabled] = [
  'https://schemas.openid.net/secevent/caep/event-type/session-revoked',
  'https://schemas.openid.net/secevent/risc/event-type/account-disabled',
  'https://schemas.openid.net/secevent/risc/event-type/account-enabled',
];
const eventsOf = (action: string, after: object | null, userId: string | null = 'ada') =>
  securityEventsOf({ action, after, ...(userId && { userId }) } as ApplicationChange);

test('each change says what it ends or allows, and nothing else is sent', () => {
  expect(eventsOf('access.changed', { status: 'disabled' })).toEqual([session]);
  expect(eventsOf('user.status.changed', { status: 'inactive' })).toEqual([session, disabled]);
  expect(eventsOf('user.status.changed', { status: 'active' })).toEqual([enabled]);
  expect(eventsOf('user.deleted', null)).toEqual([session, disabled]);
  expect(eventsOf('user.created', { status: 'active' })).toEqual([enabled]);
  // A block that ends may leave the user inactive or outside the rollout.
  expect(eventsOf('access.changed', { status: 'enabled' })).toEqual([]);
  expect(eventsOf('role.assigned', { granted: true })).toEqual([]);
  for (const action of ['access.changed', 'user.status.changed', 'user.created']) {
    expect([eventsOf(action, null), eventsOf(action, { status: null })]).toEqual([[], []]);
  }
  expect(eventsOf('application.updated', { status: 'disabled' }, null)).toEqual([]);
});

test('a token has the claims of RFC 8417 and the Shared Signals Framework, and the same jti in every attempt', async () => {
  const posts = await Promise.all(
    [at, new Date(at.getTime() + 5000)].map((time) =>
      securityEventPost(change, String(session), { ...parties, at: time }, signer),
    ),
  );
  const [first, second] = await Promise.all(
    posts.map(({ body }) => jwtVerify(body, publicKey, { typ: 'secevent+jwt', currentDate: at })),
  );
  expect(first?.payload).toEqual({
    iss: parties.issuer,
    aud: parties.audience,
    jti: `${change.id}-session-revoked`,
    txn: change.id,
    iat: 1795202060,
    toe: 1795202051,
    sub_id: { format: 'iss_sub', iss: parties.issuer, sub: 'ada' },
    events: { [String(session)]: { event_timestamp: 1795202051, initiating_entity: 'policy' } },
  });
  expect(second?.payload).toEqual({ ...first?.payload, iat: 1795202065 });
  expect(decodeProtectedHeader(String(posts[0]?.body))).toEqual({ alg: 'RS256', kid: 'key-1', typ: 'secevent+jwt' });
  expect(posts[0]?.headers).toMatchObject({ 'content-type': 'application/secevent+jwt', accept: 'application/json' });
});

test('the test of a stream is about the stream', async () => {
  const { body } = await securityEventPost({ id: 'test', at: change.at }, verificationEvent, parties, signer);
  const { payload } = await jwtVerify(body, publicKey, { currentDate: at });
  expect(payload).toMatchObject({
    sub_id: { format: 'opaque', id: parties.audience },
    events: { [verificationEvent]: {} },
  });
});

describe('an answer', () => {
  const answer = (status: number, body = '', retryAfter?: string) => ({ status, body, retryAfter });
  const kindOf = (format: 'standard' | 'set', status: number) => judgeAnswer(format, answer(status), at).kind;

  test('2xx is success, 410 the end, and a 400 to a security event is final', () => {
    expect([200, 202, 204].map((status) => kindOf('set', status))).toEqual(['delivered', 'delivered', 'delivered']);
    expect([kindOf('standard', 410), kindOf('set', 410)]).toEqual(['gone', 'gone']);
    expect([kindOf('set', 400), kindOf('standard', 400)]).toEqual(['refused', 'failed']);
    expect([301, 302, 307, 308, 401, 404, 429, 500, 503].map((status) => kindOf('set', status))).toEqual(
      Array(9).fill('failed'),
    );
  });

  test('a refusal is told by its code, and by nothing that a receiver can make up', () => {
    const told = (body: string) => judgeAnswer('set', answer(400, body), at);
    expect(told('{"err":"invalid_key","description":"who knows"}')).toMatchObject({
      error: 'the receiver refused the event: invalid_key',
    });
    for (const body of ['', 'null', '{"err":7}', '{"err":"<script>"}', `{"err":"${'a'.repeat(80)}"}`]) {
      expect(told(body)).toMatchObject({ error: 'the receiver refused the event' });
    }
  });

  test('a failure says what the receiver answered, and that redirects are not followed', () => {
    const errorOf = (status: number) => Object(judgeAnswer('standard', answer(status), at)).error;
    expect([299, 300, 399, 400, 410, 500].map(errorOf)).toEqual([
      undefined,
      'redirects are not followed (300)',
      'redirects are not followed (399)',
      'the receiver answered 400',
      'the receiver answered 410',
      'the receiver answered 500',
    ]);
  });

  test.each([
    ['120', 120],
    ['120 seconds', 0],
    ['in 120', 0],
    ['', 0],
    ['Fri, 20 Nov 2026 19:15:20 GMT', 60],
    ['999999999', 86_400],
    ['-5', 0],
    ['soon', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('Retry-After: %s means %i seconds', (retryAfter, retryAfterSeconds) => {
    expect(judgeAnswer('standard', answer(503, '', retryAfter), at)).toMatchObject({ retryAfterSeconds });
  });
});
