import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readClientPackage } from '../../client/build/client-package.ts';
import type { Denial, GuardOptions } from '../../client/guards/guard-decision.ts';
import { AuthServiceClient } from '../../client/index.ts';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { bareEnvironment } from '../support/environments.ts';
import { freePort } from '../support/free-port.ts';
import { newUser } from '../support/new-user.ts';
import { readDocument } from '../support/run-document.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const page = await readDocument('docs/integrate/guards.md');

let service: TestService;
let application: ClientProject;
beforeAll(async () => {
  service = await startSources();
  const client = new AuthServiceClient({ baseUrl: service.url, ...service.billingKey });
  await client.assignRole(await newUser('eve'), 'editor');
  await client.setAccess(await newUser('bob'), { status: 'disabled' });
  application = await installClient();
  application.linkTypes('@types/node', '@types/express', 'express', 'fastify', 'hono', '@hono/node-server');
  application.write('examples/package.json', '{ "type": "module" }');
  application.write('examples/session.ts', session);
  for (const name of ['Express', 'Fastify', 'Hono']) application.write(`examples/${name}.ts`, exampleOf(`## ${name}`));
  application.write('examples/hooks.ts', exampleOf('## Options'));
  application.write('examples/outage.ts', exampleOf('## In an outage'));
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, types: ['node'], outDir: 'built' };
  application.write('examples/tsconfig.json', JSON.stringify({ compilerOptions }));
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

function exampleOf(heading: string): string {
  const [example = '', ...others] = page.section(heading).blocks('ts');
  expect(others).toEqual([]);
  return example;
}

interface Document {
  readonly status: number;
  readonly code: string;
}

describe.each(['Express', 'Fastify', 'Hono'])('the example for %s', (name) => {
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = spawn(process.execPath, [join(application.path, `examples/built/${name}.js`)], {
      env: { ...environment(), PORT: String(port) },
      stdio: 'inherit',
    });
    while ((await statusOf('/health').catch(() => 0)) !== 200) await wait(50);
  });
  afterAll(() => {
    server.kill();
  });

  const send = (path: string, cookie?: string, method = 'GET') =>
    fetch(url + path, { method, headers: cookie === undefined ? {} : { cookie } });
  const statusOf = async (...request: Parameters<typeof send>) => (await send(...request)).status;

  test('lets a user with access pass and shows the roles', async () => {
    const answer = await send('/invoices', 'eve');
    expect([answer.status, await answer.json()]).toEqual([200, { roles: [{ name: 'editor', expiresAt: null }] }]);
  });

  test('refuses nobody, a blocked user and a missing role as the page says', async () => {
    const refusals = [send('/invoices'), send('/invoices', 'bob'), send('/invoices/7', 'ada', 'DELETE')];
    const documents = await Promise.all(refusals.map(async (answer) => (await answer).json() as Promise<Document>));
    expect(documents.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '401 not_authenticated',
      '403 access_denied',
      '403 role_missing',
    ]);
    expect(documents[1]).toEqual(JSON.parse(page.blocks('json')[0] ?? ''));
    expect(await statusOf('/invoices/7', 'eve', 'DELETE')).toBe(204);
  });

  if (name === 'Fastify') {
    test('guards the instance that registers the plugin', async () => {
      const statuses = [statusOf('/admin/settings'), statusOf('/admin/settings', 'eve'), statusOf('/health')];
      expect(await Promise.all(statuses)).toEqual([401, 403, 200]);
    });
  }
});

function environment(): NodeJS.ProcessEnv {
  const { keyId, secret } = service.billingKey;
  return { ...bareEnvironment, AUTH_URL: service.url, AUTH_KEY_ID: keyId, AUTH_SECRET: secret };
}

test('what an ES module guards, a CommonJS module can ask about', () => {
  const { name } = readClientPackage();
  application.write(
    'copies.mjs',
    `import { createRequire } from 'node:module';
    import { guard } from '${name}/hono';
    const { getAccess } = createRequire(import.meta.url)('${name}/express');
    const access = { userId: 'ada', effectiveStatus: 'enabled', roles: [], decidedBy: 'default' };
    const request = {};
    await guard({ source: { checkOrAsk: () => access }, userId: () => 'ada' })(request, async () => {});
    console.log(getAccess(request) === access);`,
  );
  expect(application.run(process.execPath, 'copies.mjs')).toBe('true\n');
});

test('the page names every option and every code', () => {
  const options: Record<keyof GuardOptions<object>, true> = {
    source: true,
    userId: true,
    role: true,
    challenge: true,
    showReason: true,
    whenUnavailable: true,
    onDenied: true,
    onDecision: true,
  };
  const codes: Record<Denial['code'], true> = {
    not_authenticated: true,
    access_denied: true,
    role_missing: true,
    access_unavailable: true,
  };
  const named = [...page.text.matchAll(/^\| (?:\d+ +\| )?`(\w+)`/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys({ ...options, ...codes }).sort());
});
