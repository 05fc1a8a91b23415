import { describe, expect, test } from '@jest/globals';
import { scopes } from '#shared/contract/operation.ts';
import { alterItem } from './alter-item.ts';
import { expectInvalid, expectProblem } from './expect-problem.ts';
import { writtenBy } from './read-history.ts';
import { freshNonce, type RequestOptions, send } from './send-request.ts';
import { signByHand } from './sign-by-hand.ts';
import type { WriteFixture } from './write-fixture.ts';
import { writeNothing } from './write-nothing.ts';

/** The refusals common to all writing endpoints. */
export function describeEveryRefusal(fixture: WriteFixture): void {
  describe('400, as of every write', () => {
    writeNothing(fixture.service);
    refusesBodies(fixture);
    refusesPathAndQuery(fixture);
  });
  describe('403, as of every write', () => refusesScopes(fixture));
  describe('404, as of every write', () => refusesUsers(fixture));
  describe('409, as of every write', () => refusesReplays(fixture));
  describe('412, as of every write', () => refusesPreviousVersion(fixture));
  describe('413, as of every write', () => {
    writeNothing(fixture.service);
    refusesSizes(fixture);
  });
  describe('415, as of every write', () => {
    writeNothing(fixture.service);
    refusesTypes(fixture);
  });
}

function refusesBodies({ write, ask }: WriteFixture): void {
  test.each(['{', 'nonsense', '{"a":1} x', "{'a':1}", '{"a":NaN}', '{"a":1,}', '\ufeff{}', ' '])(
    'refuses the body %p of a write, which is not JSON',
    async (body) => {
      expectProblem(await ask('ada', { body }), 'malformed_json');
    },
  );

  test('refuses the body of a write that is not UTF-8 (RFC 8259 section 8.1)', async () => {
    const body = Buffer.concat([Buffer.from('{"reason":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { 'content-type': 'application/vnd.x+json' };
    expectProblem(await ask('ada', { body, headers }), 'malformed_json');
  });

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['null', 'null'],
    ['a string', '"text"'],
    ['a number', '1'],
  ])('refuses the body of a write that is %s', async (_, body) => {
    expectInvalid(await ask('ada', { body }), '#');
  });

  test.each(['[]', JSON.stringify([write.body])])('refuses a write whose body is the array %s', async (body) => {
    const answer = await ask('ada', { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  test.each(['__proto__', 'constructor', 'toString'])('refuses a write with a member named %s', async (name) => {
    const body = `{"${name}":{"prototype":{}},${JSON.stringify(write.body).slice(1)}`;
    expect((await ask('ada', { body })).status).toBe(400);
  });

  test('names an unknown member of a write by its JSON pointer (RFC 6901)', async () => {
    const body = { ...write.body, 'a/b~c': 1 };
    expectInvalid(await ask('ada', { body }), '#/a~1b~0c');
  });
}

function refusesPathAndQuery({ service, write, ask }: WriteFixture): void {
  test.each(['a%20b', 'a%00b', 'a%0Ab', 'a%22b', 'a%23b', 'a%5Cb', 'a%5Eb', '%C3%A4', 'a'.repeat(129)])(
    'refuses a write for the user id %s',
    async (segment) => {
      expectInvalid(await ask(segment), 'path:userId');
    },
  );

  test.each(['.', '..'])('refuses a write for the user id %s, which URL parsers remove', async (segment) => {
    const request = { method: write.method, target: write.target(segment), body: JSON.stringify(write.body) };
    const sent = signByHand(service().url, service().billingKey, request);
    expectInvalid(await send(service().url, sent), 'path:userId');
  });

  test('refuses a write with an unknown query parameter', async () => {
    expectInvalid(await ask('ada', { query: '?verbose=1' }), 'query:verbose');
  });
}

function refusesScopes({ service, write, preparedUser, expectOnlyNonceWritten }: WriteFixture): void {
  const others = scopes.filter((scope) => scope !== write.scope);

  test(`refuses to write with a key without ${write.scope}, in the same way for existing and unknown users`, async () => {
    const key = await service().issueKey('wiki', others);
    for (const user of [await preparedUser(), 'nobody']) {
      await expectOnlyNonceWritten(user, { key }, (answer) => {
        expectProblem(answer, 'scope_missing');
        expect(answer.body.detail).toBe(`Requires the scope ${write.scope}; the API key has ${others.join(', ')}.`);
      });
    }
  });
}

function refusesUsers({ service, preparedUser, expectOnlyNonceWritten }: WriteFixture): void {
  test('refuses a write for an unknown user', async () => {
    await expectOnlyNonceWritten('nobody', {}, (answer) => expectProblem(answer, 'user_not_found'));
  });

  test('refuses a write for a user who is being erased', async () => {
    const user = await preparedUser();
    await alterItem(service(), [`USER#${user}`, 'USER'], ['deleting'], true);
    await expectOnlyNonceWritten(user, {}, (answer) => expectProblem(answer, 'user_not_found'));
  });
}

function refusesReplays({ service, ask, preparedUser }: WriteFixture): void {
  test('refuses a replayed write, and a different request with its nonce', async () => {
    const user = await preparedUser();
    const signing = { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) };
    expect((await ask(user, { signing })).status).toBe(200);
    const replay = async () => {
      expectProblem(await ask(user, { signing }), 'nonce_replayed');
      expectProblem(await ask('grace', { signing }), 'nonce_replayed');
    };
    expect(await writtenBy(service(), replay)).toEqual([]);
  });
}

function refusesPreviousVersion({ ask, preparedUser, versionOf, expectOnlyNonceWritten }: WriteFixture): void {
  test('refuses a write if If-Match is the previous version', async () => {
    const user = await preparedUser();
    const before = await versionOf(user);
    const { body } = await ask(user);
    const options = { headers: { 'if-match': `"${before}"` } };
    await expectOnlyNonceWritten(user, options, (answer) =>
      expectProblem(answer, 'version_mismatch', { version: body.version }),
    );
    expect(body.version).toBe(before + 1);
  });
}

function refusesSizes({ write, ask }: WriteFixture): void {
  test.each([
    ['16,385 bytes', JSON.stringify(write.body).padEnd(16_385), 'application/json'],
    ['16,385 bytes that arrive as base64', JSON.stringify(write.body).padEnd(16_385), 'application/vnd.x+json'],
    ['6,000 characters of three bytes', '€'.repeat(6000), 'application/json'],
  ])('refuses a write with a body of %s', async (_, body, type) => {
    const headers = { 'content-type': type };
    expectProblem(await ask('ada', { body, headers }), 'body_too_large');
  });

  test('checks the size of a write before reading the signature', async () => {
    const tamper = <T>(request: T) => ({ ...request, headers: { 'content-type': 'application/json' } });
    const answer = await ask('ada', { body: ' '.repeat(16_385), tamper });
    expectProblem(answer, 'body_too_large');
  });
}

function refusesTypes({ ask }: WriteFixture): void {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json', '', 'json'])(
    'refuses a write with a body of the type "%s"',
    async (type) => {
      const headers = { 'content-type': type };
      expectProblem(await ask('ada', { headers }), 'unsupported_media_type');
    },
  );

  test('refuses a write with a body without a type', async () => {
    const tamper: RequestOptions['tamper'] = ({ headers, ...request }) => {
      const { 'content-type': _, ...others } = headers;
      return { ...request, headers: others };
    };
    expectProblem(await ask('ada', { tamper }), 'unsupported_media_type');
  });
}
