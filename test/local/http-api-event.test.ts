import { describe, expect, test } from '@jest/globals';
import { decodePath } from '#shared/signature/path.ts';
import type { WireRequest } from '../../local/event-parts.ts';
import { createHttpEvent, type RouteMatch } from '../../local/http-api-event.ts';
import type { JwtIdentity } from '../../local/jwt-authorizer.ts';

const match: RouteMatch = {
  route: { routeKey: 'POST /capture/{name}', functionId: 'F', isProtected: false },
  pathParameters: { name: 'space value' },
};

function eventOf(given: Partial<WireRequest> = {}, routed = match, jwt?: JwtIdentity) {
  const wire: WireRequest = {
    method: 'POST',
    path: '/capture/space%20value',
    query: '',
    headers: {},
    body: Buffer.alloc(0),
    protocol: 'HTTP/1.1',
    sourceIp: '127.0.0.1',
    authority: 'localhost:3000',
    requestId: 'ATfSmjLgPHcESJw=',
    receivedAt: new Date('2026-07-10T19:19:05.766Z'),
    ...given,
  };
  return createHttpEvent(wire, decodePath(wire.path) ?? '', routed, jwt);
}

describe('headers', () => {
  test('that repeat are joined with a comma and no space', () => {
    expect(eventOf({ headers: { 'x-probe': ['first', 'second'] } }).headers['x-probe']).toBe('first,second');
  });

  test("of the connection are dropped, and the gateway's own added", () => {
    const { headers } = eventOf({
      headers: { connection: ['keep-alive'], host: ['h'], 'x-forwarded-for': ['1.2.3.4'] },
    });
    expect(headers).toEqual({
      host: 'h',
      'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
      'x-forwarded-for': '1.2.3.4, 127.0.0.1',
      'x-forwarded-port': '3000',
      'x-forwarded-proto': 'http',
    });
  });

  test('with cookies are passed separately', () => {
    const event = eventOf({ headers: { cookie: ['session=abc123; theme=dark', 'more=1'] } });
    expect(event.cookies).toEqual(['session=abc123', 'theme=dark', 'more=1']);
    expect(event.headers).not.toHaveProperty('cookie');
  });
});

describe('query', () => {
  test('is passed on as sent, and decoded with repeated parameters joined', () => {
    const query =
      'repeat=one&repeat=two&redirect=https%3A%2F%2Fexample.com%2Fa%2Fb&literalPlus=a+b&encodedPlus=a%2Bb&empty=';
    const event = eventOf({ query });
    expect(event.rawQueryString).toBe(query);
    expect(event.queryStringParameters).toEqual({
      repeat: 'one,two',
      redirect: 'https://example.com/a/b',
      literalPlus: 'a b',
      encodedPlus: 'a+b',
      empty: '',
    });
  });

  test('is omitted from the event if missing, and so are the parameters', () => {
    expect(eventOf()).not.toHaveProperty('queryStringParameters');
    expect(eventOf().rawQueryString).toBe('');
  });
});

describe('body', () => {
  const utf8 = Buffer.from('{"greek":"λ"}');
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/plain',
    'application/xml',
    'application/javascript',
  ])('of %s is text', (type) => {
    const event = eventOf({ headers: { 'content-type': [type] }, body: utf8 });
    expect(event).toMatchObject({ body: '{"greek":"λ"}', isBase64Encoded: false });
  });

  test.each([
    ['application/problem+json'],
    ['application/octet-stream'],
    ['multipart/form-data; a=text/plain'],
    [undefined],
  ])('of %s is base64', (type) => {
    const headers = type === undefined ? {} : { 'content-type': [type] };
    expect(eventOf({ headers, body: utf8 })).toMatchObject({ body: utf8.toString('base64'), isBase64Encoded: true });
  });

  test('is omitted from the event if missing', () => {
    const event = eventOf({ headers: { 'content-type': ['application/json'] } });
    expect(event).not.toHaveProperty('body');
    expect(event.isBase64Encoded).toBe(false);
  });
});

test('has the shape of the captured event', () => {
  expect(eventOf({ headers: { 'user-agent': ['curl/8.7.1'] } })).toMatchObject({
    version: '2.0',
    routeKey: 'POST /capture/{name}',
    rawPath: '/capture/space value',
    pathParameters: { name: 'space value' },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost:3000',
      domainPrefix: 'localhost',
      http: {
        method: 'POST',
        path: '/capture/space value',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'curl/8.7.1',
      },
      requestId: 'ATfSmjLgPHcESJw=',
      routeKey: 'POST /capture/{name}',
      stage: '$default',
      time: '10/Jul/2026:19:19:05 +0000',
      timeEpoch: 1783711145766,
    },
  });
});

test('has no path parameters if the route has none', () => {
  expect(eventOf({}, { ...match, pathParameters: {} })).not.toHaveProperty('pathParameters');
});

test('contains claims only if the route has an authorizer', () => {
  const jwt = { claims: { sub: 'edith', exp: '1783711145' }, scopes: null };
  expect(eventOf({}, match, jwt).requestContext).toMatchObject({ authorizer: { jwt } });
  expect(eventOf().requestContext).not.toHaveProperty('authorizer');
});
