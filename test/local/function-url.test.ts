import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { serveFunctionUrl } from '../../local/function-url.ts';
import type { HttpServer } from '../../local/http-server.ts';
import type { Outcome } from '../../local/lambda-function.ts';
import { createAccessKey } from '../../local/local-credentials.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { sendRequest } from './send-request.ts';
import { awsDate, type RequestLikeAws, sha256, signLikeAws } from './sign-like-aws.ts';

const accessKey = createAccessKey();
let server: HttpServer;
let host: string;
let invocations: APIGatewayProxyEventV2[] = [];
let answer: (event: APIGatewayProxyEventV2) => Outcome | Promise<Outcome>;

beforeAll(async () => {
  const invoke = async (event: APIGatewayProxyEventV2) => {
    invocations.push(event);
    return await answer(event);
  };
  server = await serveFunctionUrl({ invoke, accessKey, port: 0 });
  host = new URL(server.url).host;
});
afterAll(() => server.close());
beforeEach(() => {
  invocations = [];
  answer = () => ({ kind: 'result', json: '{"statusCode":204}' });
});

/** Sends a correctly signed request, changed by what is given; `sent` replaces what was signed. */
async function send(signed: Partial<RequestLikeAws> = {}, sent: Partial<RequestLikeAws> = {}) {
  const date = signed.date ?? awsDate(new Date());
  const headers = { host, 'x-amz-date': date, ...signed.headers };
  const request = { ...accessKey, ...signed, date, headers };
  const authorization = signLikeAws(request);
  const { method, path = '/', query = '', body, headers: outgoing } = { ...request, ...sent };
  const target = query === '' ? path : `${path}?${query}`;
  return await sendRequest(server.url, {
    path: target,
    headers: { authorization, ...outgoing },
    ...(method && { method }),
    ...(body && { body }),
  });
}

const minutesAgo = (minutes: number) => awsDate(new Date(Date.now() - minutes * 60_000));
const write = { method: 'PUT', path: '/api/manage/users/ada', body: '{"email":null}' };

test('signs as the test suite of AWS does (get-vanilla, get-vanilla-query-order-key-case)', () => {
  const example = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
    date: '20150830T123600Z',
    headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' },
  };
  expect(signLikeAws(example)).toMatch(/Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31$/);
  expect(signLikeAws({ ...example, query: 'Param2=value2&Param1=value1' })).toMatch(
    /Signature=b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500$/,
  );
});

describe('accepts a signed request', () => {
  test.each<[string, Partial<RequestLikeAws>]>([
    ['without a body', {}],
    ['with a body', write],
    ['with the hash of its body', { ...write, headers: { 'x-amz-content-sha256': sha256(write.body) } }],
    ['with a query in any order', { query: 'prefix=a%20b&limit=2&empty=&limit=1' }],
    ['with a parameter whose name is a prefix of another', { query: 'a%20=2&a=1' }],
    ['with an encoded path', { path: '/api/manage/users/auth0%7C123%2Fx%25' }],
    ['with headers added by tools', { headers: { 'user-agent': 'tool/1', 'content-type': 'application/json' } }],
    ['almost five minutes ago', { date: minutesAgo(4.9) }],
    ['with a clock almost five minutes ahead', { date: minutesAgo(-4.9) }],
  ])('%s', async (_, request) => {
    expect(await send(request)).toMatchObject({ status: 204 });
    expect(invocations).toHaveLength(1);
  });

  test('with any path, query and body', async () => {
    const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.\.?$/.test(text));
    const part = segment.filter((text) => text !== '__proto__').map(encodeURIComponent);
    const query = fc.array(fc.tuple(part, part).map((pair) => pair.join('='))).map((pairs) => pairs.join('&'));
    const property = fc.asyncProperty(part, query, fc.string(), async (name, pairs, body) => {
      const request = { method: 'POST', path: `/users/${name}`, query: pairs, body };
      expect(await send(request)).toMatchObject({ status: 204 });
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test("signed by AWS's library", async () => {
    const ask = createManageClient(server.url, accessKey);
    expect(await ask('PUT', '/users/auth0%7C123?a=b+c&a=%C3%A9', { email: null })).toEqual({
      status: 204,
      body: undefined,
    });
  });
});

describe('refuses with 403, without invoking the function,', () => {
  const refusal = (type: string, message: unknown) => ({
    status: 403,
    headers: expect.objectContaining({ 'x-amzn-errortype': [type], 'content-type': ['application/json'] }),
    body: expect.stringMatching(/^\{"message":"/),
    message,
  });

  async function expectRefusal(sending: ReturnType<typeof send>, type: string, message: unknown) {
    const received = await sending;
    const { message: expected, ...answered } = refusal(type, message);
    expect(received).toMatchObject(answered);
    expect(JSON.parse(received.body).message).toEqual(expected);
    expect(invocations).toEqual([]);
  }

  const mismatch = 'The signature does not match';

  test.each([
    ['nothing', {}],
    ['a token', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }],
    ['another scheme of AWS', { authorization: 'AWS4-ECDSA-P256-SHA256 Credential=a, SignedHeaders=b, Signature=c' }],
  ])('a request with %s as its authorization', async (_, headers) => {
    const received = await sendRequest(server.url, { headers });
    expect(received).toMatchObject({ status: 403, body: '{"Message":"Forbidden"}' });
    expect(received.headers['x-amzn-errortype']).toEqual(['AccessDeniedException']);
    expect(invocations).toEqual([]);
  });

  test('a signature in the query', async () => {
    const query = `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${accessKey.accessKeyId}&X-Amz-Signature=00`;
    const received = await sendRequest(server.url, { path: `/?${query}` });
    expect(received).toMatchObject({ status: 403, body: '{"Message":"Forbidden"}' });
    expect(invocations).toEqual([]);
  });

  test.each<[string, Partial<RequestLikeAws>, Partial<RequestLikeAws>]>([
    ['another secret', { secretAccessKey: 'x'.repeat(40) }, {}],
    ['another method', write, { method: 'POST' }],
    ['another path', write, { path: '/api/manage/users/alan' }],
    ['another query', { query: 'force=false' }, { query: 'force=true' }],
    ['a query where none was signed', {}, { query: 'force=true' }],
    ['a parameter that the library overlooks', {}, { query: '__proto__=1' }],
    ['an additional signature in the query', {}, { query: 'X-Amz-Signature=1' }],
    ['another body', write, { body: '{"email":"x@y.example"}' }],
    ['a body where none was signed', { method: 'POST' }, { body: '{}' }],
    ['no body where one was signed', write, { body: '' }],
    ['another host', { headers: { host: 'other.lambda-url.local.on.aws' } }, { headers: {} }],
  ])('a request with %s', async (_, signed, sent) => {
    const date = awsDate(new Date());
    const headers = sent.headers === undefined ? undefined : { headers: { host, 'x-amz-date': date } };
    await expectRefusal(send({ ...signed, date }, { ...sent, ...headers }), 'InvalidSignatureException', mismatch);
  });

  test('a body that differs from the signed hash', async () => {
    const headers = { 'x-amz-content-sha256': sha256(write.body) };
    const tampered = send({ ...write, headers }, { body: '{"email":"x@y.example"}' });
    await expectRefusal(tampered, 'InvalidSignatureException', mismatch);
  });

  test('an unsigned body', async () => {
    const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    await expectRefusal(send({ ...write, headers }), 'InvalidSignatureException', mismatch);
  });

  test('a missing signed header', async () => {
    const date = awsDate(new Date());
    const missing = send({ date, headers: { 'x-extra': '1' } }, { headers: { host, 'x-amz-date': date } });
    await expectRefusal(missing, 'InvalidSignatureException', mismatch);
  });

  test.each([
    ['five minutes ago', 5.1, 'Signature expired'],
    ['with a clock five minutes ahead', -5.1, 'Signature not yet current'],
  ])('a signature made %s', async (_, minutes, message) => {
    const late = send({ date: minutesAgo(minutes) });
    await expectRefusal(late, 'InvalidSignatureException', message);
  });

  const wrongScope = expect.stringMatching(/^Credential must be scoped to \d{8}\/local\/lambda\/aws4_request$/);

  test.each<[string, Partial<RequestLikeAws>]>([
    ['region', { region: 'eu-central-1' }],
    ['service', { service: 'execute-api' }],
  ])('a signature for another %s', async (_, request) => {
    await expectRefusal(send(request), 'InvalidSignatureException', wrongScope);
  });

  test('a signature that is scoped to another day', async () => {
    const date = awsDate(new Date());
    const headers = { host, 'x-amz-date': date };
    const authorization = signLikeAws({ ...accessKey, headers, date: '20260101T000000Z' });
    const sending = sendRequest(server.url, { headers: { ...headers, authorization } });
    await expectRefusal(sending, 'InvalidSignatureException', wrongScope);
  });

  test.each<[string, readonly string[]]>([
    ['the host', ['x-amz-date']],
    ['the date', ['host']],
    ['an AWS header', ['host', 'x-amz-date']],
  ])('a signature that leaves out %s', async (_, signedHeaders) => {
    const request = { signedHeaders, headers: { 'x-amz-meta': '1' } };
    const sending = send(request, signedHeaders.includes('x-amz-date') ? {} : undefined);
    await expectRefusal(sending, 'InvalidSignatureException', 'host and x-amz-* must be signed');
  });

  test.each<[string, Partial<RequestLikeAws>]>([
    ['an unknown key', { accessKeyId: createAccessKey().accessKeyId }],
    ['a session token, which does not belong to the key', { headers: { 'x-amz-security-token': 'token' } }],
  ])('%s', async (_, request) => {
    await expectRefusal(send(request), 'UnrecognizedClientException', 'The security token is invalid');
  });

  test.each([
    ['Credential', 'SignedHeaders=host, Signature=00'],
    ['SignedHeaders', 'Credential=a/b/c/d/e, Signature=00'],
    ['Signature', 'Credential=a/b/c/d/e, SignedHeaders=host'],
    ['Signature', 'Credential=a/b/c/d/e, SignedHeaders=host, Signature=ABC'],
  ])('a header without %s', async (_, parameters) => {
    const headers = { authorization: `AWS4-HMAC-SHA256 ${parameters}`, 'x-amz-date': awsDate(new Date()) };
    const sending = sendRequest(server.url, { headers });
    await expectRefusal(sending, 'IncompleteSignatureException', 'Authorization header is incomplete');
  });

  test.each(['', '2026-11-20T19:14:11Z', '20261399T000000Z'])('the date %j', async (date) => {
    const parameters = `Credential=a/b/c/d/e, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
    const headers = { authorization: `AWS4-HMAC-SHA256 ${parameters}`, 'x-amz-date': date };
    const sending = sendRequest(server.url, { headers });
    await expectRefusal(sending, 'IncompleteSignatureException', 'x-amz-date is not a date');
  });

  test('two authorizations', async () => {
    const date = awsDate(new Date());
    const headers = { host, 'x-amz-date': date };
    const good = signLikeAws({ ...accessKey, headers, date });
    const received = await sendRequest(server.url, { headers: { ...headers, authorization: [good, good] as never } });
    expect(received).toMatchObject({ status: 403, body: '{"Message":"Forbidden"}' });
    expect(invocations).toEqual([]);
  });

  test('any header composed of parts of a valid one, and never throws', async () => {
    const date = awsDate(new Date());
    const headers = { host, 'x-amz-date': date };
    const good = signLikeAws({ ...accessKey, headers, date });
    const property = fc.asyncProperty(
      fc.nat(good.length - 1),
      fc.nat(20),
      fc.string({ unit: 'grapheme-ascii' }),
      async (at, length, text) => {
        const authorization = `${good.slice(0, at)}${text}${good.slice(at + length)}`.trim();
        fc.pre(partsOf(authorization) !== partsOf(good));
        const { status } = await sendRequest(server.url, { headers: { ...headers, authorization } });
        expect(status).toBe(403);
      },
    );
    await fc.assert(property, { numRuns: 100 });
    expect(invocations).toEqual([]);
  });
});

/** Splits a header into its elements, ignoring whitespace and empty elements (RFC 9110 section 5.6.1). */
function partsOf(header: string): string {
  return header.replaceAll(/\s/g, '').split(',').filter(Boolean).join(',');
}

describe('passes to the function', () => {
  const eventOf = async (request: Partial<RequestLikeAws>) => {
    await send(request);
    return invocations[0];
  };

  test("the caller in IAM's format", async () => {
    const event = await eventOf({});
    expect(event?.requestContext).toMatchObject({
      accountId: '000000000000',
      authorizer: {
        iam: {
          accessKey: accessKey.accessKeyId,
          accountId: '000000000000',
          callerId: expect.stringMatching(/^AIDA[A-Z2-7]{16}$/),
          cognitoIdentity: null,
          principalOrgId: null,
          userArn: 'arn:aws:iam::000000000000:user/local',
          userId: expect.stringMatching(/^AIDA[A-Z2-7]{16}$/),
        },
      },
    });
  });

  test('the path as sent, and the decoded one', async () => {
    const event = await eventOf({ path: '/api/manage/users/auth0%7C123' });
    expect(event).toMatchObject({
      rawPath: '/api/manage/users/auth0%7C123',
      requestContext: { http: { path: '/api/manage/users/auth0|123' } },
    });
  });

  test('the headers except the signature', async () => {
    const event = await eventOf({ headers: { 'x-probe': 'first', cookie: 'a=1; b=2' } });
    expect(event?.headers).toMatchObject({ host, 'x-probe': 'first', cookie: 'a=1; b=2' });
    expect(event?.headers).not.toHaveProperty('authorization');
    expect(event?.cookies).toEqual(['a=1', 'b=2']);
  });

  test.each([
    ['application/json', '{"a":"λ"}', false],
    ['application/octet-stream', Buffer.from('{"a":"λ"}').toString('base64'), true],
  ])('a body of %s', async (type, body, isBase64Encoded) => {
    const event = await eventOf({ method: 'POST', headers: { 'content-type': type }, body: '{"a":"λ"}' });
    expect(event).toMatchObject({ body, isBase64Encoded });
  });

  test('an event of the documented shape', async () => {
    const event = await eventOf({ query: 'a=1&a=2', headers: { 'user-agent': 'agent' } });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: '$default',
      rawQueryString: 'a=1&a=2',
      queryStringParameters: { a: '1,2' },
      isBase64Encoded: false,
      requestContext: {
        apiId: 'local',
        domainName: host,
        domainPrefix: '127',
        http: { method: 'GET', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'agent' },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        routeKey: '$default',
        stage: '$default',
      },
    });
    expect(event).not.toHaveProperty('pathParameters');
  });
});

describe('answers', () => {
  test("with the function's response and the request id", async () => {
    answer = () => ({ kind: 'result', json: '{"statusCode":201,"headers":{"etag":"1"},"body":"{}"}' });
    const received = await send({});
    expect(received).toMatchObject({ status: 201, body: '{}' });
    expect(received.headers).toMatchObject({ etag: ['1'] });
    expect(received.headers['x-amzn-requestid']).toEqual([invocations[0]?.requestContext.requestId]);
  });

  test.each<Outcome>([{ kind: 'failed' }, { kind: 'timed-out' }, { kind: 'result', json: '{"statusCode":"fine"}' }])(
    '502 for the outcome %j',
    async (outcome) => {
      answer = () => outcome;
      expect(await send({})).toMatchObject({ status: 502, body: '{"Message":"Internal Server Error"}' });
    },
  );

  test('400 to a path that cannot be decoded', async () => {
    expect(await send({ path: '/users/%zz' })).toMatchObject({ status: 400 });
    expect(invocations).toEqual([]);
  });

  test.each([
    ['the body', 6 * 1024 * 1024 + 1, 'text/plain'],
    ['its event', 5 * 1024 * 1024, 'application/octet-stream'],
  ])('413 when %s is over 6 MB', async (_, bytes, type) => {
    const received = await send({ method: 'POST', headers: { 'content-type': type }, body: 'a'.repeat(bytes) });
    expect(received).toMatchObject({ status: 413, body: expect.stringContaining('6291456 bytes') });
    expect(invocations).toEqual([]);
  });
});

test('a port in use causes an error that names the variable to set', async () => {
  const { port } = new URL(server.url);
  const invoke = () => Promise.reject(new Error('unused'));
  await expect(serveFunctionUrl({ invoke, accessKey, port: Number(port) })).rejects.toThrow(
    `Port ${port} is in use: stop the other program, or choose another port, such as MANAGE_PORT=3100 npm start.`,
  );
});
