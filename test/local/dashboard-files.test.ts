import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { serveHttpApi } from '../../local/http-api.ts';
import { openDashboard } from '../../local/static-files.ts';
import { sendRequest } from './send-request.ts';
import { makeFolder } from './write-assembly.ts';

const login = { issuer: 'http://127.0.0.1:3002/tenant', clientId: 'dashboard', scope: 'openid auth-service/manage' };
const page = '<!doctype html><title>Dashboard</title><script>document.title = 1;</script>';
const large = 'export const repeated = 1;\n'.repeat(200);
/** What the build has compressed itself, with a text of its own to tell it from what is compressed here. */
const packed = brotliCompressSync('export {};');
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let close = async () => {};
afterEach(() => close());

/** Serves the dashboard in front of an API whose only function answers 404 with the path. */
async function serve() {
  const folder = join(await makeFolder(), 'dist');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets/index-1.js'), 'export {};');
  await writeFile(join(folder, 'assets/large-1.js'), large);
  await writeFile(join(folder, 'assets/packed-1.js'), large);
  await mkdir(join(folder, 'brotli/assets'), { recursive: true });
  await writeFile(join(folder, 'brotli/assets/packed-1.js'), packed);
  await writeFile(join(folder, '../secret.json'), 'secret');
  const api = await serveHttpApi({
    routes: [{ routeKey: '$default', functionId: 'Refuse', isProtected: false }],
    invoke: async (_, event) => ({ kind: 'result', json: JSON.stringify({ statusCode: 404, body: event.rawPath }) }),
    port: 0,
    dashboard: openDashboard(folder, login),
  });
  close = api.close;
  return api.url;
}

describe('the page is what', () => {
  test.each(['/', '/index.html'])('%s shows to everyone', async (path) => {
    expect(await sendRequest(await serve(), { path })).toMatchObject({ status: 200, body: page });
  });

  test.each(['/users', '/users/ada@example.com', '/applications/billing/history', '/?code=1&state=2'])(
    '%s shows to a browser',
    async (path) => {
      const received = await sendRequest(await serve(), { path, headers: browser });
      expect(received).toMatchObject({ status: 200, body: page });
      expect(received.headers['content-type']).toEqual(['text/html; charset=utf-8']);
    },
  );

  test('HEAD describes', async () => {
    const received = await sendRequest(await serve(), { method: 'HEAD', path: '/users', headers: browser });
    expect(received).toMatchObject({ status: 200, body: '' });
    expect(received.headers['content-length']).toEqual([String(page.length)]);
  });
});

describe('the API answers', () => {
  test.each([
    ['for every path below /api/', 'GET', '/api/service/nothing'],
    ['a request other than GET', 'POST', '/users'],
    ['a request other than GET, even for a file', 'PUT', '/index.html'],
    ['for a missing file', 'GET', '/assets/index-2.js'],
    ['for the tools of the local run', 'GET', '/_local/nothing'],
    ['a proxy that passes on what its browser accepts', 'GET', '/access/v1/authorize'],
    ['for a hook', 'GET', '/hooks/okta'],
    ['for a directory', 'GET', '/scim/v2/Users'],
    ['for metadata', 'GET', '/.well-known/authzen-configuration'],
  ])('%s', async (_, method, path) => {
    const received = await sendRequest(await serve(), { method, path, headers: browser });
    expect(received).toMatchObject({ status: 404, body: path });
  });

  test('a client that is not a browser', async () => {
    expect(await sendRequest(await serve(), { path: '/users' })).toMatchObject({ status: 404, body: '/users' });
  });
});

test.each(['/../secret.json', '/assets/../../secret.json', '/%2e%2e/secret.json', '/assets/..%2f..%2fsecret.json'])(
  '%s finds no file',
  async (path) => {
    const received = await sendRequest(await serve(), { path, headers: browser });
    expect(received.body).not.toContain('secret\n');
    expect(received.body).not.toBe('secret');
  },
);

test('config.json contains the login settings', async () => {
  const received = await sendRequest(await serve(), { path: '/config.json' });
  expect(JSON.parse(received.body)).toEqual(login);
  expect(received.headers).toMatchObject({ 'content-type': ['application/json'], 'cache-control': ['no-cache'] });
});

describe('the headers', () => {
  test('are strict, and allow requests to the login', async () => {
    const { headers } = await sendRequest(await serve(), {});
    expect(headers).toMatchObject({
      'x-content-type-options': ['nosniff'],
      'x-frame-options': ['DENY'],
      'referrer-policy': ['no-referrer'],
      'cross-origin-opener-policy': ['same-origin'],
      'cache-control': ['no-cache'],
    });
    expect(headers['content-security-policy']?.join()).toContain("connect-src 'self' http://127.0.0.1:3002;");
    expect(headers['content-security-policy']?.join()).not.toMatch(/unsafe|\*/);
  });

  test("allow the page's own script by its hash", async () => {
    const { headers } = await sendRequest(await serve(), {});
    const hash = 'sha256-b9HtH2gd9MVkIvI/rdk6j6qa034Lrp+zsPS6oNA07JM=';
    expect(headers['content-security-policy']?.join()).toContain(`script-src 'self' '${hash}'; style-src 'self';`);
  });

  test('cache a hashed file for a year', async () => {
    const { headers, body } = await sendRequest(await serve(), { path: '/assets/index-1.js' });
    expect(body).toBe('export {};');
    expect(headers).not.toHaveProperty('vary');
    expect(headers).toMatchObject({
      'content-type': ['text/javascript; charset=utf-8'],
      'cache-control': ['public, max-age=31536000, immutable'],
    });
  });
});

describe('a large file is compressed', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('for a client that accepts %s: %s', async (accepted, encoding) => {
    const url = `${await serve()}/assets/large-1.js`;
    const { status, headers, body } = await receive(url, accepted);
    expect([status, headers.vary, headers['content-encoding']]).toEqual([200, 'accept-encoding', encoding]);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((sent: Buffer) => sent);
    expect(decode(body).toString()).toBe(large);
    expect([Number(headers['content-length']), body.length < large.length]).toEqual([
      body.length,
      encoding !== undefined,
    ]);
  });
});

test('what the build has compressed is sent as it is, under its own name alone', async () => {
  const url = await serve();
  const { headers, body } = await receive(`${url}/assets/packed-1.js`, 'br');
  expect([headers['content-encoding'], body]).toEqual(['br', packed]);
  expect(gunzipSync((await receive(`${url}/assets/packed-1.js`, 'gzip')).body).toString()).toBe(large);
  expect((await receive(`${url}/brotli/assets/packed-1.js`, 'br')).status).toBe(404);
});

/** Receives the body without the decoding of `fetch`. */
async function receive(url: string, accepted: string) {
  const request = get(url, { headers: { 'accept-encoding': accepted } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}
