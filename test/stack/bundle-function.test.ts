import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { serviceOperations } from '#shared/contract/operations.ts';
import { bundleFunction } from '../../lib/functions/bundle-function.ts';
import { bearerEndpoints } from '../../lib/options/endpoint-sets.ts';

const outDir = mkdtempSync(join(tmpdir(), 'auth-service-'));
afterAll(() => rmSync(outDir, { recursive: true }));

const bearerNames = bearerEndpoints.flatMap(({ name, scope }) => (scope ? [name] : []));
const names = [...Object.keys(serviceOperations), ...bearerNames, 'manage', 'publish-changes', 'number-changes'];
const notFound = { headers: {}, requestContext: { requestId: 'r1', http: { method: 'GET', path: '/nowhere' } } };

describe.each(names)('the bundle of %s', (name) => {
  const { directory, bytes } = bundleFunction(name, outDir);
  const code = readFileSync(join(directory, 'index.js'), 'utf8');

  test('is plain CommonJS: the code, and a package.json that declares it', () => {
    expect(readdirSync(directory).sort()).toEqual(['index.js', 'package.json']);
    expect(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))).toEqual({ type: 'commonjs' });
  });

  test(`stays below ${budgetOf(name)} bytes`, () => {
    expect(bytes).toBe(Buffer.byteLength(code));
    expect(bytes).toBeLessThan(budgetOf(name));
  });

  test('takes credentials only from the environment', () => {
    expect(code).toContain('AWS_SESSION_TOKEN');
    expect(code).not.toMatch(/AssumeRoleWithWebIdentity|AWS_CONTAINER_CREDENTIALS|credential_process/);
  });

  test('validates requests and omits the schemas of responses', () => {
    expect(code).not.toMatch(/userStatus:\w+\(|windowSeconds:\w+\(/);
  });

  test('exports a handler', () => {
    const root = Buffer.alloc(32).toString('base64');
    const ofEndpoints = { TABLE_NAME: 'table', ROOT_KEYS: `k1=local:${root}` };
    const ofOthers: Readonly<Record<string, Record<string, string>>> = {
      'publish-changes': { EVENT_BUS_NAME: 'bus', ROOT_KEYS: `k1=local:${root}` },
      'number-changes': { TABLE_NAME: 'table' },
      manage: {
        ...ofEndpoints,
        OPERATOR_ISSUER: 'https://login.example.com',
        OPERATOR_ROLES: '{"token":{},"arns":{}}',
      },
    };
    const environment = ofOthers[name] ?? ofEndpoints;
    expect(run(`console.log(typeof require('.').handler)`, directory, environment)).toBe('function');
  });
});

test('the same source produces the same files in another process', () => {
  const again = join(outDir, 'again');
  const script = `import { bundleFunction } from './lib/functions/bundle-function.ts';
    for (const name of ${JSON.stringify(names)}) bundleFunction(name, ${JSON.stringify(again)})`;
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  execFileSync(process.execPath, options, { cwd: join(import.meta.dirname, '../..') });
  for (const name of names) {
    const codeIn = (folder: string) => readFileSync(join(folder, name, 'index.js'));
    expect([name, codeIn(again).equals(codeIn(outDir))]).toEqual([name, true]);
  }
});

test('a function without a source file causes an error', () => {
  expect(() => bundleFunction('nowhere', outDir)).toThrow('There is no file of a function nowhere');
});

test('a stack trace names the line and column of the code', () => {
  const { directory } = bundleFunction('refuse-unknown-route', outDir);
  const script = `require('.').handler({}).catch(({ stack }) => console.log(stack))`;
  const [, line = '', column = ''] = /index\.js:(\d+):(\d+)/.exec(run(script, directory, {})) ?? [];
  const lines = readFileSync(join(directory, 'index.js'), 'utf8').split('\n');
  expect(lines[Number(line) - 1]?.slice(Number(column) - 1)).toMatch(/^http\b/);
});

test('the function for unknown routes answers 404 without any environment', () => {
  const { directory, bytes } = bundleFunction('refuse-unknown-route', outDir);
  const script = `require('.').handler(${JSON.stringify(notFound)}).then((answer) => console.log(JSON.stringify(answer)))`;
  const answer = JSON.parse(run(script, directory, {}));
  expect(answer).toMatchObject({ statusCode: 404, headers: { 'content-type': 'application/problem+json' } });
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'route_not_found', requestId: 'r1' });
  expect(bytes).toBeLessThan(10_000);
});

/**
 * Just above the size of the largest endpoint. The management function contains all its operations, and the publisher
 * has no time limit; no application waits for either.
 */
function budgetOf(name: string): number {
  // With the attributes of SCIM and its filters, which 302,000 bytes have no room for.
  const ofScim = { 'scim-users': 350_000, 'scim-groups': 337_000 };
  const others = { 'authorize-request': 330_000, 'set-own-webhook': 310_000 };
  const budgets = { manage: 489_000, 'publish-changes': 245_000, ...others, ...ofScim };
  return (budgets as Readonly<Record<string, number>>)[name] ?? 304_500;
}

function run(script: string, cwd: string, env: NodeJS.ProcessEnv): string {
  return execFileSync(process.execPath, ['-e', script], { cwd, env, encoding: 'utf8' }).trim();
}
