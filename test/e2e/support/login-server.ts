import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { installClient, tool } from '../../client/install-package.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import type { Key } from '../../support/send-request.ts';

const example = join(import.meta.dirname, '../../../examples/login-server/login-server.ts');
const password = 'correct horse';
/** RFC 7636 appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export interface Tokens {
  readonly refresh_token?: string;
  readonly error?: string;
}

/** The login server in `examples/login-server`, with applications at which its users log in. */
export interface LoginServer {
  /** Logs a user in at an application; returns what the application's callback receives. */
  login(page: Page, clientId: string, userId: string): Promise<URLSearchParams>;
  /** The application's requests for tokens. */
  exchange(clientId: string, code: string): Promise<Tokens>;
  refresh(clientId: string, refreshToken: string | undefined): Promise<Tokens>;
  stop(): Promise<void>;
}

/** Starts it with the applications of these keys, which have the client ids of their names. */
export async function startLoginServer(baseUrl: string, keys: Readonly<Record<string, Key>>): Promise<LoginServer> {
  const applications = createServer((_, response) => response.end('back at the application'));
  applications.listen(0, '127.0.0.1');
  await once(applications, 'listening');
  const callback = `http://127.0.0.1:${(applications.address() as AddressInfo).port}/callback`;
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const { server, remove } = await runExample(settings({ port, issuer, callback, baseUrl, keys }));
  await eventually(
    () => fetch(`${issuer}/.well-known/openid-configuration`).catch(() => undefined),
    (answer) => answer?.ok === true,
  );
  const request = async (clientId: string, body: Readonly<Record<string, string>>): Promise<Tokens> => {
    const authorization = `Basic ${btoa(`${clientId}:${encodeURIComponent(secretOf(clientId))}`)}`;
    const init = { method: 'POST', headers: { authorization }, body: new URLSearchParams(body) };
    return (await (await fetch(`${issuer}/token`, init)).json()) as Tokens;
  };
  return {
    login: async (page, clientId, userId) => {
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        scope: 'openid offline_access',
        redirect_uri: callback,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      await page.goto(`${issuer}/auth?${query}`);
      if (page.url().startsWith(issuer)) {
        await page.getByLabel('User').fill(userId);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Log in' }).click();
      }
      await page.waitForURL(`${callback}?*`);
      return new URL(page.url()).searchParams;
    },
    exchange: (clientId, code) =>
      request(clientId, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        code_verifier: verifier,
      }),
    refresh: (clientId, refreshToken = '') =>
      request(clientId, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    stop: async () => {
      server.kill();
      applications.close();
      remove();
    },
  };
}

/** Compiles and runs the example as a team would, with the SDK from its package. */
async function runExample(ownSettings: string): Promise<{ server: ChildProcess; remove: () => void }> {
  const project = await installClient();
  project.linkTypes('@types/node', '@types/oidc-provider', 'oidc-provider');
  project.write('package.json', '{ "type": "module", "private": true }');
  project.write('login-server.ts', readFileSync(example, 'utf8'));
  project.write('own-settings.ts', ownSettings);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'built',
    rewriteRelativeImportExtensions: true,
  };
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['login-server.ts'] }));
  project.run(tool('tsc'), '-p', '.');
  const server = spawn(process.execPath, ['built/login-server.js'], { cwd: project.path, stdio: 'ignore' });
  return { server, remove: project.remove };
}

const secretOf = (clientId: string) => `secret of ${clientId}`;

interface Team {
  readonly port: number;
  readonly issuer: string;
  readonly callback: string;
  readonly baseUrl: string;
  readonly keys: Readonly<Record<string, Key>>;
}

/** What a team adds: its applications, its people and its login page. */
function settings({ port, issuer, callback, baseUrl, keys }: Team): string {
  const applications = Object.entries(keys).map(([clientId, key]) => ({
    clientId,
    key: { baseUrl, ...key },
    client: {
      client_id: clientId,
      client_secret: secretOf(clientId),
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  }));
  return `import { randomUUID } from 'node:crypto';
export const port = ${port};
export const issuer = '${issuer}';
export const applications = ${JSON.stringify(applications)};
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
