import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../bench/dashboard-browser.ts';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { manageClient } from '../support/manage-client.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

/* The login server in `examples/login-server`, with two applications that log their users in there. */

const password = 'correct horse';
let service: TestService;
let project: ClientProject;
let server: ChildProcess;
let applications: Server;
let browser: Browser;
let issuer: string;
const manage = manageClient(() => service);
const operate = async (method: string, path: string, body: object) =>
  expect((await manage('iam', method, path, { body })).status).toBeLessThan(300);

beforeAll(async () => {
  service = await startBundles();
  await operate('PUT', '/users/carol', {});
  applications = createServer((_, response) => response.end('back at the application'));
  await listen(applications, 0);
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  project = await installClient();
  project.useTypes('@types/node', '@types/oidc-provider', 'oidc-provider');
  project.write('package.json', '{ "type": "module", "private": true }');
  project.write(
    'login-server.ts',
    readFileSync(join(import.meta.dirname, '../../examples/login-server/login-server.ts'), 'utf8'),
  );
  project.write(
    'settings.ts',
    settings(port, { billing: service.billingKey, wiki: await service.issueKey('wiki', ['access:read']) }),
  );
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'built',
  };
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['login-server.ts'] }));
  project.run(tool('tsc'), '-p', '.');
  server = spawn(process.execPath, ['built/login-server.js'], {
    cwd: project.path,
    stdio: 'ignore',
  });
  await reachable(`${issuer}/.well-known/openid-configuration`);
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  server?.kill();
  applications?.close();
  project?.remove();
  await service?.stop();
});

const callback = () => `http://127.0.0.1:${(applications.address() as AddressInfo).port}/callback`;

/** What a team adds: its applications, its people and its login page. */
function settings(port: number, keys: Readonly<Record<string, object>>): string {
  const entries = Object.entries(keys).map(([clientId, key]) => ({
    clientId,
    key: { baseUrl: service.url, ...key },
    client: {
      client_id: clientId,
      client_secret: `secret of ${clientId}`,
      redirect_uris: [callback()],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  }));
  return `import { randomUUID } from 'node:crypto';
export const port = ${port};
export const issuer = '${issuer}';
export const applications = ${JSON.stringify(entries)};
export const adapter = undefined;
export const jwks = undefined;
export const cookieKeys = [randomUUID()];
export const findPerson = async (form: URLSearchParams) =>
  form.get('password') === '${password}' ? (form.get('user') ?? undefined) : undefined;
export const loginPage = (form?: URLSearchParams) => \`<!doctype html><title>Log in</title>
<form method="post">\${form ? '<p>Wrong name or password.</p>' : ''}<label>User <input name="user"></label>
<label>Password <input name="password" type="password"></label><button>Log in</button></form>\`;
`;
}

async function listen(listening: Server, port: number): Promise<number> {
  listening.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  return (listening.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0);
  probe.close();
  return port;
}

async function reachable(url: string): Promise<void> {
  for (let attempt = 1; attempt <= 100; attempt++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}

/** Logs in at an application; returns what its callback receives. */
async function login(page: Page, clientId: string): Promise<URLSearchParams> {
  const query = new URLSearchParams({
    ...{ client_id: clientId, response_type: 'code', scope: 'openid offline_access', redirect_uri: callback() },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  });
  await page.goto(`${issuer}/auth?${query}`);
  if (page.url().startsWith(issuer)) {
    await page.getByLabel('User').fill('carol');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }
  await page.waitForURL(`${callback()}?*`);
  return new URL(page.url()).searchParams;
}

/** The application's request for tokens (RFC 7636 appendix B has the verifier). */
async function tokens(clientId: string, body: Readonly<Record<string, string>>) {
  const authorization = `Basic ${btoa(`${clientId}:${encodeURIComponent(`secret of ${clientId}`)}`)}`;
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(body),
  });
  return (await answer.json()) as { readonly refresh_token?: string; readonly error?: string };
}
const exchange = (clientId: string, code: string) =>
  tokens(clientId, {
    ...{ grant_type: 'authorization_code', code, redirect_uri: callback() },
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  });
const refresh = (clientId: string, refresh_token = '') =>
  tokens(clientId, { grant_type: 'refresh_token', refresh_token });

const denial = { error: 'access_denied', error_description: 'You have no access to this application.' };
const shown = (found: URLSearchParams) => ({
  error: found.get('error'),
  error_description: found.get('error_description'),
});

test('blocked at one application, allowed at the other, inactive nowhere: at the login, with a session, and at a refresh', async () => {
  const first = await browser.newPage();
  const code = (await login(first, 'billing')).get('code') ?? '';
  const { refresh_token } = await exchange('billing', code);
  expect(refresh_token).toEqual(expect.any(String));

  await operate('PUT', '/users/carol/access/billing', { status: 'disabled', reason: null, until: null });
  expect(await refresh('billing', refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(shown(await login(first, 'billing'))).toEqual(denial);
  expect(shown(await login(await browser.newPage(), 'billing'))).toEqual(denial);
  const elsewhere = await exchange('wiki', (await login(first, 'wiki')).get('code') ?? '');
  expect((await refresh('wiki', elsewhere.refresh_token)).error).toBeUndefined();

  const left = await exchange('wiki', (await login(first, 'wiki')).get('code') ?? '');
  await operate('PUT', '/users/carol/status', { status: 'inactive', reason: null });
  expect(await refresh('wiki', left.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(shown(await login(first, 'wiki'))).toEqual(denial);
  expect(shown(await login(await browser.newPage(), 'billing'))).toEqual(denial);
}, 60_000);
