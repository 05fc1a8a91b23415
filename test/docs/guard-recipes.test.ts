import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuthServiceClient } from '../../client/index.ts';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { bareEnvironment } from '../support/environments.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { needing } from '../support/needing.ts';
import { newUser } from '../support/new-user.ts';
import { readDocument } from '../support/run-document.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { missingTools, workerd } from '../support/tools.ts';

const page = await readDocument('docs/integrate/guards.md');
/** Examples that start a server, by their section. */
const servers = [
  { section: 'Koa', name: 'koa', packages: ['koa', '@types/koa'] },
  { section: 'NestJS', name: 'nest', packages: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express'] },
] as const;
const missing = missingTools();
const startable = servers.filter(({ section }) => !missing.includes(section));
const others = ['Any other framework', 'Next.js', 'SvelteKit', 'AWS Lambda', 'Cloudflare Workers'];
const sections = [...others, ...startable.map(({ section }) => section)];

let service: TestService;
let application: ClientProject;
beforeAll(async () => {
  service = await startSources();
  const client = new AuthServiceClient({ baseUrl: service.url, ...service.billingKey });
  await client.assignRole(await newUser('eve'), 'editor');
  await client.setAccess(await newUser('bob'), { status: 'disabled' });
  application = await installClient();
  const packages = startable.flatMap((server) => server.packages);
  application.linkTypes('@types/node', '@types/express', '@types/aws-lambda', ...packages);
  application.write('examples/package.json', '{ "type": "module" }');
  application.write('examples/session.ts', session);
  application.write('examples/call.mjs', call);
  for (const block of sections.flatMap((heading) => page.section(`## ${heading}`).blocks('ts'))) {
    const [, name = ''] = /^\/\/ ([\w.]+\.ts)\n/.exec(block) ?? [];
    application.write(`examples/${name}`, block);
  }
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, types: ['node'], outDir: 'built' };
  const more = { experimentalDecorators: true, skipLibCheck: true };
  application.write('examples/tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, ...more } }));
  application.run(tool('tsc'), '-p', 'examples');
});
afterAll(async () => {
  application.remove();
  await service.stop();
});

/** A login whose cookie is the user's id. */
const session = `export async function findSession(cookie: string | null | undefined) {
  return cookie ? { userId: cookie } : undefined;
}`;

/** Calls a function of an example, and prints what it returns: of a Response the status, the headers and the body. */
const call = `
const [, , path, name, given] = process.argv;
const example = await import(path);
const read = (event) => (event?.url ? new Request(event.url, event) : event);
const outcomes = JSON.parse(given).map(async (event) => {
  const { request, ...others } = event;
  const argument = event.url ? read(event) : { event: { ...others, request: read(request) }, resolve: () => new Response('"resolved"') };
  try {
    const answer = await example[name](name === 'handle' ? argument : read(event));
    if (!(answer instanceof Response)) return answer ?? null;
    const text = await answer.text();
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text && JSON.parse(text) };
  } catch ({ message }) {
    return { error: message };
  }
});
console.log(JSON.stringify(await Promise.all(outcomes)));
`;

function environment(baseUrl = service.url): NodeJS.ProcessEnv {
  const { keyId, secret } = service.billingKey;
  return { ...bareEnvironment, AUTH_URL: baseUrl, AUTH_KEY_ID: keyId, AUTH_SECRET: secret };
}

/** What a function of an example returns for each event, in a process of its own. */
async function outcomesOf(
  example: string,
  name: string,
  events: readonly object[],
  baseUrl?: string,
): Promise<object[]> {
  const args = ['examples/call.mjs', `./built/${example}.js`, name, JSON.stringify(events)];
  const options = { cwd: application.path, env: environment(baseUrl) };
  return JSON.parse((await promisify(execFile)(process.execPath, args, options)).stdout);
}

/** A service that does not answer. */
const nowhere = 'http://127.0.0.1:1';

const url = 'https://crm.example.com/admin/invoices/7';
const asked = (cookie: string, more: object = {}) => ({ url, headers: { cookie, ...more } });

const roles = [{ name: 'editor', expiresAt: null }];
const refusal = (status: number, code: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  body: { type: 'about:blank', status, code },
});
const anonymous = refusal(401, 'not_authenticated');
const blocked = refusal(403, 'access_denied');
const unavailable = { ...refusal(503, 'access_unavailable'), headers: { 'retry-after': '5' } };

describe('Next.js', () => {
  test('a route handler admits and refuses, whatever header makes Next.js skip its proxy', async () => {
    const skipping = asked('bob', { 'x-middleware-subrequest': 'middleware:middleware', 'x-user': 'eve' });
    const read = await outcomesOf('route', 'GET', [asked('eve'), asked(''), asked('bob'), skipping]);
    expect(read).toMatchObject([{ status: 200, body: { roles } }, anonymous, blocked, blocked]);
    const removed = await outcomesOf('route', 'DELETE', [asked('eve'), asked('ada')]);
    expect(removed).toMatchObject([{ status: 204 }, refusal(403, 'role_missing')]);
    expect(await outcomesOf('route', 'GET', [asked('eve')], nowhere)).toMatchObject([unavailable]);
  });

  test('the proxy lets Next.js go on, or refuses', async () => {
    const outcomes = await outcomesOf('proxy', 'proxy', [asked('eve'), asked(''), asked('bob')]);
    expect(outcomes).toMatchObject([null, anonymous, blocked]);
  });
});

test('SvelteKit guards the routes of the group, by the route that it has matched', async () => {
  const event = (cookie: string, id: string | null) => ({ request: asked(cookie), route: { id } });
  const guarded = ['eve', '', 'bob'].map((cookie) => event(cookie, '/(guarded)/admin/invoices/[id]'));
  const open = [event('', '/(open)/about'), event('bob', null)];
  const resolved = { status: 200, body: 'resolved' };
  const outcomes = await outcomesOf('hooks.server', 'handle', [...guarded, ...open]);
  expect(outcomes).toMatchObject([resolved, anonymous, blocked, resolved, resolved]);
});

describe('AWS Lambda', () => {
  const event = (...cookies: string[]) => ({ cookies, headers: { 'x-user': 'eve' } });

  test('a function returns the answer in the format of a function URL and of an HTTP API', async () => {
    const outcomes = await outcomesOf('lambda', 'handler', [event('eve'), event(), event('bob')]);
    expect(outcomes).toMatchObject([
      { statusCode: 200, body: JSON.stringify({ roles }) },
      { statusCode: 401, headers: { 'www-authenticate': 'Bearer' } },
      { statusCode: 403, headers: blocked.headers, body: expect.stringContaining('"code":"access_denied"') },
    ]);
    const [failed] = await outcomesOf('lambda', 'handler', [event('eve')], nowhere);
    expect(failed).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
  });

  test('an authorizer authorizes with the roles, refuses, and fails without a decision', async () => {
    const outcomes = await outcomesOf('authorizer', 'authorizer', [event('eve'), event(), event('bob')]);
    const refused = { isAuthorized: false, context: {} };
    expect(outcomes).toEqual([{ isAuthorized: true, context: { userId: 'eve', roles: 'editor' } }, refused, refused]);
    const failed = await outcomesOf('authorizer', 'authorizer', [event('eve')], nowhere);
    expect(failed).toEqual([{ error: 'The access cannot be checked now' }]);
  });

  test('a viewer request of CloudFront goes on, or gets the refusal in the format of Lambda@Edge', async () => {
    application.write(
      'examples/built/viewer-request.js',
      `import { createViewerRequest } from './edge.js';
      const { AUTH_URL, AUTH_KEY_ID, AUTH_SECRET } = process.env;
      export const viewerRequest = createViewerRequest(AUTH_URL, async () => ({ keyId: AUTH_KEY_ID, secret: AUTH_SECRET }));`,
    );
    const request = (value: string) => ({ uri: '/admin', headers: { cookie: [{ key: 'Cookie', value }] } });
    const events = [request('eve'), request('bob'), { uri: '/admin', headers: {} }].map((each) => ({
      Records: [{ cf: { request: each } }],
    }));
    const outcomes = await outcomesOf('viewer-request', 'viewerRequest', events);
    const problem = [{ key: 'content-type', value: 'application/problem+json' }];
    expect(outcomes).toMatchObject([
      request('eve'),
      { status: '403', headers: { 'content-type': problem }, body: expect.stringContaining('"code":"access_denied"') },
      { status: '401' },
    ]);
  });
});

/** Waits until a server that was started answers. */
async function answering(server: ChildProcess, address: string): Promise<void> {
  await eventually(
    () =>
      fetch(address).then(
        ({ status }) => status,
        () => server.exitCode ?? 0,
      ),
    (status) => status !== 0,
  );
}

const get = async (address: string, cookie = '', method = 'GET') => {
  const answer = await fetch(address, { method, headers: { cookie } });
  const text = await answer.text();
  const headers = Object.fromEntries(answer.headers);
  // Express adds a charset.
  const type = headers['content-type']?.replace(/; charset=utf-8$/, '');
  return {
    status: answer.status,
    headers: { ...headers, 'content-type': type },
    body: text && JSON.parse(text),
  };
};

describe.each(servers)('the example $name.ts', ({ section, name }) => {
  const { test } = needing(section);
  let server: ChildProcess;
  let address: string;
  beforeAll(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}/invoices`;
    const env = { ...environment(), PORT: `${port}` };
    server = spawn(process.execPath, [join(application.path, `examples/built/${name}.js`)], { env, stdio: 'inherit' });
    await answering(server, address);
  });
  afterAll(() => {
    server.kill();
  });

  test('admits and refuses', async () => {
    expect([await get(address, 'eve'), await get(address), await get(address, 'bob')]).toMatchObject([
      { status: 200, body: { roles } },
      { ...anonymous, headers: { 'www-authenticate': 'Bearer' } },
      blocked,
    ]);
  });

  if (name === 'nest') {
    test('requires the role of a method besides the access of its controller', async () => {
      const remove = (user: string) => get(`${address}/7`, user, 'DELETE');
      const missing = { status: 403, body: { code: 'role_missing' } };
      expect([await remove('eve'), await remove('ada'), await remove('bob')]).toMatchObject([
        { status: 204 },
        missing,
        blocked,
      ]);
    });
  }
});

needing('workerd').test(
  'the example for Cloudflare Workers runs on their runtime, many requests at a time',
  async () => {
    const port = await freePort();
    const folder = join(application.path, 'examples/built');
    const options = ['--bundle', '--format=esm', '--conditions=workerd,worker,browser', '--outfile=bundled.js'];
    await promisify(execFile)(tool('esbuild'), ['worker.js', ...options], { cwd: folder });
    writeFileSync(join(folder, 'config.capnp'), workerConfiguration(port));
    const server = spawn(workerd, ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' });
    try {
      const address = `http://127.0.0.1:${port}/`;
      await answering(server, address);
      const users = ['eve', 'bob', '', 'nobody', 'eve', 'bob', '', 'nobody'];
      const answers = await Promise.all(users.map((user) => get(address, user)));
      const expected = [{ status: 200, body: { roles } }, blocked, anonymous, blocked];
      expect(answers).toMatchObject([...expected, ...expected]);
    } finally {
      server.kill();
    }
  },
);

/** A Worker with the bindings of the example, which may also call services of this machine. */
function workerConfiguration(port: number): string {
  const { AUTH_URL, AUTH_KEY_ID, AUTH_SECRET } = environment();
  const bindings = Object.entries({ AUTH_URL, AUTH_KEY_ID, AUTH_SECRET }).map(
    ([name, text]) => `(name = "${name}", text = "${text}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "bundled.js", esModule = embed "bundled.js")],
      compatibilityDate = "2026-01-01",
      bindings = [${bindings.join(', ')}],
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}
