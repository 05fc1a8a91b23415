import { describe, expect, test } from '@jest/globals';
import { alterItem } from './alter-item.ts';
import { awkwardUserIds } from './awkward-user-ids.ts';
import { describeEveryRefusal } from './every-refusal.ts';
import { freshNonce } from './send-request.ts';
import type { TestService } from './start-service.ts';
import { unrecorded } from './view-shapes.ts';
import { type Write, type WriteFixture, writeFixture } from './write-fixture.ts';

/** The tests common to all writing endpoints. */
export function describeEveryWrite(service: () => TestService, write: Write): void {
  const fixture = writeFixture(service, write);
  describe('200, as of every write', () => {
    answersEveryWrite(fixture);
    acceptsBodiesOfEveryWrite(fixture);
    acceptsUsersOfEveryWrite(fixture);
  });
  describeEveryRefusal(fixture);
}

function answersEveryWrite({ service, ask, preparedUser, expectOnlyNonceWritten }: WriteFixture): void {
  test('answers a write with uncacheable JSON, and the version as its ETag', async () => {
    const { status, headers, body } = await ask(await preparedUser());
    expect([status, body.changed]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.etag).toBe(`"${body.version}"`);
  });

  test('stores the nonce of a write for as long as a signature with it could be accepted', async () => {
    const signing = { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) + 60 };
    const { headers } = await ask(await preparedUser(), { signing });
    const { keyId } = service().billingKey;
    expect((await service().items()).get(`NONCE#${keyId}#${signing.nonce} NONCE`)).toMatchObject({
      requestId: headers['apigw-requestid'],
      // Twice the window, plus 5 s of clock difference.
      ttl: signing.created + 605,
    });
  });

  test('writes only its nonce if the write changes nothing', async () => {
    const user = await preparedUser();
    const { body: first } = await ask(user);
    await expectOnlyNonceWritten(user, {}, ({ status, headers, body }) => {
      expect([status, body]).toEqual([200, { ...first, ...unrecorded }]);
      expect(headers.etag).toBe(`"${first.version}"`);
    });
  });
}

function acceptsBodiesOfEveryWrite({ write, ask, preparedUser }: WriteFixture): void {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.x+json'])(
    'accepts a write with a body of the type %s',
    async (type) => {
      const { status, body } = await ask(await preparedUser(), { headers: { 'content-type': type } });
      expect([status, body.changed]).toEqual([200, true]);
    },
  );

  test('accepts a write with white space before the parameters of its type (RFC 9110 section 5.6.6)', async () => {
    const headers = { 'content-type': 'application/json ; charset=utf-8' };
    expect((await ask(await preparedUser(), { headers })).status).toBe(200);
  });

  test.each(['application/json', 'application/vnd.x+json'])(
    'accepts a write with 16,384 bytes of the type %s',
    async (type) => {
      const body = JSON.stringify(write.body).padEnd(16_384);
      const { status, body: access } = await ask(await preparedUser(), { body, headers: { 'content-type': type } });
      expect([status, access.changed]).toEqual([200, true]);
    },
  );
}

function acceptsUsersOfEveryWrite({ service, write, ask, preparedUser }: WriteFixture): void {
  test.each(awkwardUserIds)('writes for the user %s, with any encoding of the id', async (awkwardId) => {
    const userId = await preparedUser(`${write.method}-${awkwardId}`);
    const answers = [await ask(encodeURIComponent(userId)), await ask(userId)];
    expect(answers.map(({ status, body }) => [status, body.userId, body.changed])).toEqual([
      [200, userId, true],
      [200, userId, false],
    ]);
  });

  test('writes for an inactive user, who remains disabled', async () => {
    const user = await preparedUser();
    await alterItem(service(), [`USER#${user}`, 'USER'], ['status'], 'inactive');
    expect(await ask(user)).toMatchObject({
      status: 200,
      body: { changed: true, userStatus: 'inactive', effectiveStatus: 'disabled', decidedBy: 'user' },
    });
  });
}
