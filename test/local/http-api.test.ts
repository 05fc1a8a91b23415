import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type HttpApiOptions, serveHttpApi } from '../../local/http-api.ts';
import { collectLines } from './collect-lines.ts';
import { sendRequest } from './send-request.ts';

let close = async () => {};
afterEach(() => close());

/** Serves one function, which answers with its event. */
async function serve(given: Partial<HttpApiOptions> = {}) {
  const api = await serveHttpApi({
    routes: ['GET /users/{userId}/access', 'POST /echo'].map((routeKey) => ({
      routeKey,
      functionId: 'Echo',
      isProtected: false,
    })),
    invoke: async (_, event) => ({ kind: 'result', json: JSON.stringify(event) }),
    port: 0,
    ...given,
  });
  close = api.close;
  return api;
}

const eventIn = ({ body }: { body: string }): APIGatewayProxyEventV2 => JSON.parse(body);
const gatewayError = (status: number, message: string) => ({ status, body: JSON.stringify({ message }) });

describe('a request reaches its function', () => {
  test("in API Gateway's format", async () => {
    const { url } = await serve();
    const received = await sendRequest(url, {
      path: '/users/auth0%7Cada%20b/access?a=1&a=2&b=%2F+',
      headers: { 'X-Probe': ['first', 'second'], cookie: 'session=abc', 'user-agent': 'test/1' },
    });
    const event = eventIn(received);
    expect(event).toMatchObject({
      routeKey: 'GET /users/{userId}/access',
      rawPath: '/users/auth0|ada b/access',
      rawQueryString: 'a=1&a=2&b=%2F+',
      queryStringParameters: { a: '1,2', b: '/ ' },
      pathParameters: { userId: 'auth0|ada b' },
      cookies: ['session=abc'],
      isBase64Encoded: false,
      requestContext: { http: { method: 'GET', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test/1' } },
    });
    expect(event.headers['x-probe']).toBe('first,second');
    expect(event).not.toHaveProperty('body');
  });

  test('with its body', async () => {
    const { url } = await serve();
    const received = await sendRequest(url, {
      method: 'POST',
      path: '/echo',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: '{"a":"λ"}',
    });
    const { body, headers } = eventIn(received);
    expect(body).toBe('{"a":"λ"}');
    expect(headers).toMatchObject({ 'content-length': '10' });
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  test('with its own id, which the response shows', async () => {
    const { url } = await serve();
    const [one, other] = await Promise.all([1, 2].map(() => sendRequest(url, { path: '/users/a/access' })));
    const ids = [one, other].map((received) => received?.headers['apigw-requestid']?.[0]);
    expect(ids[0]).toMatch(/^[A-Za-z0-9_-]{15}=$/);
    expect(ids[0]).not.toBe(ids[1]);
    expect(one && eventIn(one).requestContext.requestId).toBe(ids[0]);
  });
});

describe('the domain name is', () => {
  const domainName = async (host: string) => {
    const { url } = await serve();
    const { port } = new URL(url);
    const received = await sendRequest(url, { path: '/users/a/access', headers: { host: host.replace('PORT', port) } });
    return eventIn(received).requestContext.domainName.replace(port, 'PORT');
  };

  test.each([
    ['127.0.0.1:PORT', '127.0.0.1:PORT'],
    ['localhost:PORT', 'localhost:PORT'],
    ['LocalHost:PORT', 'localhost:PORT'],
    ['[::1]:PORT', '[::1]:PORT'],
  ])('the Host that names this server: %s', async (host, expected) => {
    expect(await domainName(host)).toBe(expected);
  });

  test.each(['billing.example', 'localhost', 'localhost:1', 'localhost:PORT.evil.example'])(
    'the listening address for any other Host: %s',
    async (host) => {
      expect(await domainName(host)).toBe('127.0.0.1:PORT');
    },
  );
});

describe('the gateway itself answers', () => {
  test('404 if no route matches', async () => {
    const { url } = await serve();
    const received = await sendRequest(url, { path: '/nothing' });
    expect(received).toMatchObject(gatewayError(404, 'Not Found'));
    expect(received.headers).toMatchObject({ 'content-type': ['application/json'] });
    expect(received.headers['apigw-requestid']).toHaveLength(1);
  });

  test.each(['/users/100%25/access', '/users/%zz/access', '/users/%ff/access', 'http://other.example/users'])(
    '400 to the path %s',
    async (path) => {
      const { url } = await serve();
      expect(await sendRequest(url, { path })).toMatchObject(gatewayError(400, 'Bad Request'));
    },
  );

  test('401 if the route has an authorizer', async () => {
    const { url } = await serve({ routes: [{ routeKey: '$default', functionId: 'Echo', isProtected: true }] });
    expect(await sendRequest(url, {})).toMatchObject(gatewayError(401, 'Unauthorized'));
  });

  test('500 when the invocation fails or cannot be started', async () => {
    const { url } = await serve({ invoke: async () => ({ kind: 'failed' }) });
    const expected = gatewayError(500, 'Internal Server Error');
    expect(await sendRequest(url, { path: '/users/a/access' })).toMatchObject(expected);
    await close();
    const other = await serve({ invoke: () => Promise.reject(new Error('no worker')) });
    expect(await sendRequest(other.url, { path: '/users/a/access' })).toMatchObject(expected);
  });

  test('503 when the function times out', async () => {
    const { url } = await serve({ invoke: () => new Promise(() => {}), integrationTimeoutMs: 20 });
    const received = await sendRequest(url, { path: '/users/a/access' });
    expect(received).toMatchObject(gatewayError(503, 'Service Unavailable'));
  });

  test('without echoing the request', async () => {
    const { url } = await serve();
    const received = await sendRequest(url, { path: '/<script>alert(1)</script>' });
    expect(received.body).not.toContain('script');
  });
});

describe('limits', () => {
  /** Sends a request line and header lines of this total size. */
  async function sendHeaders(bytes: number) {
    const { url } = await serve();
    const { port } = new URL(url);
    const head = `GET /users/a/access HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\nX-Fill: `;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}${'x'.repeat(bytes - head.length - 2)}\r\n\r\n`);
    return await text(socket);
  }

  test('a request line and headers of 10,240 bytes are accepted', async () => {
    expect(await sendHeaders(10_240)).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([10_241, 40_000, 80_000])('a request line and headers of %d bytes get 431', async (bytes) => {
    expect(await sendHeaders(bytes)).toMatch(/^HTTP\/1.1 431 /);
  });

  const sendBody = async (bytes: number) => {
    const { url } = await serve({
      invoke: async (_, { body }) => ({ kind: 'result', json: JSON.stringify(body?.length) }),
    });
    const headers = { 'content-type': 'text/plain' };
    return await sendRequest(url, { method: 'POST', path: '/echo', headers, body: Buffer.alloc(bytes, 'a') });
  };

  test('a body of 10 MB is accepted', async () => {
    expect(await sendBody(10_485_760)).toMatchObject({ status: 200, body: '10485760' });
  });

  test('a body one byte larger gets 413', async () => {
    expect(await sendBody(10_485_761)).toMatchObject(gatewayError(413, 'Request Entity Too Large'));
  });
});

test('a connection can serve several requests', async () => {
  const { url } = await serve();
  const { port } = new URL(url);
  const request = (last: boolean) =>
    `GET /nothing HTTP/1.1\r\nHost: localhost\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(request(false) + request(true));
  expect((await text(socket)).match(/HTTP\/1\.1 404/g)).toHaveLength(2);
});

test('a function can set several cookies', async () => {
  const json = JSON.stringify({ statusCode: 200, cookies: ['a=1', 'b=2'] });
  const { url } = await serve({ invoke: async () => ({ kind: 'result', json }) });
  const received = await sendRequest(url, { path: '/users/a/access' });
  expect(received.headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

test('the request log omits the query', async () => {
  const { log, until } = collectLines();
  const { url } = await serve({ log });
  await sendRequest(url, { path: '/users/a%20b/access?token=secret' });
  expect(await until(/GET/)).toMatch(/^GET \/users\/a%20b\/access 200 \d+ ms$/);
});

test('a target with control characters is refused', async () => {
  const { url } = await serve();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(Buffer.from('GET /users/\x9b31m/access HTTP/1.1\r\nHost: localhost\r\n\r\n', 'latin1'));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
});

test('a port in use causes a one-line error', async () => {
  const { url } = await serve();
  const { port } = new URL(url);
  await expect(serveHttpApi({ routes: [], invoke: () => Promise.reject(), port: Number(port) })).rejects.toThrow(
    `Port ${port} is in use`,
  );
});

test('an aborted request leaves the gateway running', async () => {
  const { log, until } = collectLines();
  const { url } = await serve({ log });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end('POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf');
  socket.resume();
  await until(/POST \/echo 400/);
  expect(await sendRequest(url, { path: '/users/a/access' })).toMatchObject({ status: 200 });
});
