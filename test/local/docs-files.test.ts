import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveHttpApi } from '../../local/http-api.ts';
import type { HttpServer } from '../../local/http-server.ts';
import { openDocs } from '../../local/static-files.ts';
import { openapi } from '../support/documented.ts';
import { sendRequest } from './send-request.ts';

let api: HttpServer;
/** Serves the pages in front of an API that answers every request with its path. */
beforeAll(async () => {
  api = await serveHttpApi({
    routes: [{ routeKey: '$default', functionId: 'Any', isProtected: false }],
    invoke: async (_, event) => ({ kind: 'result', json: JSON.stringify({ statusCode: 404, body: event.rawPath }) }),
    port: 0,
    docs: openDocs(),
  });
});
afterAll(() => api.close());

const ask = (path: string, method = 'GET') => sendRequest(api.url, { path, method });

test('the API description is that of the project', async () => {
  const { status, headers, body } = await ask('/docs/openapi.json');
  expect([status, headers['content-type'], JSON.parse(body)]).toEqual([
    200,
    ['application/json; charset=utf-8'],
    openapi,
  ]);
});

const pages = [
  '/docs',
  '/docs/',
  ...['quickstart', 'api', 'signing', 'errors', 'events'].map((name) => `/docs/${name}`),
];

describe.each(pages)('the page %s', (path) => {
  test('works under its strict Content-Security-Policy', async () => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type']]).toEqual([200, ['text/html; charset=utf-8']]);
    expect(headers['content-security-policy']?.[0]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(body).not.toMatch(/<style|<script(?! src="\/)|\son\w+=|\sstyle=/);
  });

  test('links only to served pages, and loads nothing from other origins', async () => {
    const { body } = await ask(path);
    const links = [...body.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, target = '']) => target);
    const ours = links.filter((target) => target.startsWith('/'));
    const answers = await Promise.all([...new Set(ours)].map(async (target) => [target, (await ask(target)).status]));
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    const loaded = [...body.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g)].map(([, target = '']) => target);
    expect(loaded.filter((target) => !/^\/docs\/|^data:,$/.test(target))).toEqual([]);
  });
});

test('HEAD returns only the headers', async () => {
  const { status, headers, body } = await ask('/docs/errors', 'HEAD');
  expect([status, Number(headers['content-length']) > 10_000, body]).toEqual([200, true, '']);
});

test.each([
  ['GET', '/docs/nothing'],
  ['GET', '/docs/../package.json'],
  ['GET', '/docs/%2e%2e/package.json'],
  ['POST', '/docs/errors'],
])('%s %s is answered by the API', async (method, path) => {
  expect((await ask(path, method)).status).toBe(404);
});

test("the example's key is served only to this machine, and only if it exists", async () => {
  expect((await ask('/docs/example-key.json')).status).toBe(404);
  const example = { keyId: 'svk_1', secret: 'svs_1', more: 'of the example' };
  const docs = openDocs({ exampleKey: () => example });
  const served = async (host: string) =>
    (await docs({ method: 'GET', path: '/docs/example-key.json', headers: { host: [host] } }))?.body.toString();
  expect(JSON.parse((await served('127.0.0.1:3000')) ?? '')).toEqual({ keyId: 'svk_1', secret: 'svs_1' });
  expect(await served('rebound.example.org')).toBeUndefined();
});
