import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { freePort } from '../support/free-port.ts';
import { needing } from '../support/needing.ts';
import { grantRole, setStatus } from '../support/new-application.ts';
import { newConnection } from '../support/new-connection.ts';
import { readDocument } from '../support/run-document.ts';
import { type RunningProxy, runCaddy, runNginx } from '../support/run-proxy.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const page = await readDocument('docs/integrate/gateways.md');
const [issuer, audience] = ['https://login.example.com', 'wiki'];

let service: TestService;
let token: string;
let sign: (sub: string) => Promise<string>;
const original = globalThis.fetch;
beforeAll(async () => {
  service = await startSources();
  await grantRole('ada', 'wiki', 'editor');
  await setStatus('grace', 'wiki', 'disabled');
  ({ token } = await newConnection(['wiki'], undefined, { identity: { issuer, audience } }));
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256' }];
  sign = (sub) =>
    new SignJWT({ iss: issuer, aud: audience, sub, exp: Math.floor(Date.now() / 1000) + 60 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
  // Stands in for the identity provider, which this machine has not; everything else is really sent.
  globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (!url.startsWith(issuer)) return original(input, init);
    return Response.json(url.endsWith('/keys') ? { keys } : { issuer, jwks_uri: `${issuer}/keys` });
  };
});
afterAll(async () => {
  globalThis.fetch = original;
  await service.stop();
});

/** An application behind the proxy, which keeps the headers of the last request. */
let backend: ReturnType<typeof createServer>;
let received: IncomingHttpHeaders | undefined;
let proxy: RunningProxy | undefined;
beforeEach(async () => {
  received = undefined;
  backend = createServer((request, response) => {
    received = request.headers;
    response.end('the application');
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await proxy?.stop();
  proxy = undefined;
  await new Promise((resolve) => backend.close(resolve));
});

/** The block of the page, for this service, this token and this application. */
function configured(language: string, asked = service.url): string {
  const [block = ''] = page.blocks(language);
  const { port } = backend.address() as AddressInfo;
  const filled = block
    .replaceAll('https://api.example.com', asked)
    .replaceAll('svt_…', token)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  expect(filled).not.toMatch(/example\.com|…|8080/);
  return filled;
}

async function start(run: (lines: string) => Promise<RunningProxy>, lines: string): Promise<string> {
  proxy = await run(lines);
  received = undefined;
  return proxy.url;
}

describe.each([
  ['nginx', runNginx],
  ['Caddy', runCaddy],
] as const)('%s as the page configures it', (name, run) => {
  needing(name).test('lets through who may enter, with the user and the roles, and nobody else', async () => {
    const url = await start(run, configured(name.toLowerCase()));
    const ask = async (headers: Record<string, string>) => {
      received = undefined;
      const { status } = await original(url, { headers });
      return [status, received?.['x-auth-user'], received && (received['x-auth-roles'] ?? '')];
    };
    const bearer = async (sub: string) => ({ authorization: `Bearer ${await sign(sub)}` });
    expect(await ask(await bearer('ada'))).toEqual([200, 'ada', 'editor']);
    // Those that a caller sends never reach the application.
    const forged = { 'x-auth-user': 'root', 'x-auth-roles': 'admin', 'x-original-user': 'root' };
    expect(await ask({ ...(await bearer('ada')), ...forged })).toEqual([200, 'ada', 'editor']);
    expect(await ask({ ...(await bearer('alan')), ...forged })).toEqual([200, 'alan', '']);
    const nobody = [undefined, undefined];
    expect(await ask({})).toEqual([401, ...nobody]);
    expect(await ask({ ...forged, 'x-original-authorization': (await bearer('ada')).authorization })).toEqual([
      401,
      ...nobody,
    ]);
    expect(await ask({ authorization: 'Bearer ada' })).toEqual([401, ...nobody]);
    expect(await ask({ authorization: `Bearer ${token}` })).toEqual([401, ...nobody]);
    for (const blocked of ['grace', 'nobody']) {
      expect(await ask({ ...(await bearer(blocked)), ...forged })).toEqual([403, ...nobody]);
    }
    await setStatus('ada', 'wiki', 'disabled');
    expect(await ask(await bearer('ada'))).toEqual([403, ...nobody]);
    await setStatus('ada', 'wiki', 'enabled');
  });

  needing(name).test('lets nobody through while the service cannot be reached', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const url = await start(run, configured(name.toLowerCase(), nowhere));
    const { status } = await original(url, { headers: { authorization: `Bearer ${await sign('ada')}` } });
    expect([status >= 500, received]).toEqual([true, undefined]);
  });
});

test('the page has the expression by which secret scanners find a token', () => {
  const [, pattern = ''] = /`(svt_k\[1-9\].*)`/.exec(page.text) ?? [];
  expect(new RegExp(pattern).exec(`Authorization: Bearer ${token}`)?.[0]).toBe(token);
});
