import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { bundleFunction } from '../../lib/bundle-function.ts';

const outDir = mkdtempSync(join(tmpdir(), 'auth-service-'));
afterAll(() => rmSync(outDir, { recursive: true }));

describe.each([...Object.keys(serviceRoutes), 'manage', 'publish-changes'])('the bundle of %s', (name) => {
  const { directory, bytes } = bundleFunction(name, outDir);
  const code = readFileSync(join(directory, 'index.js'), 'utf8');

  test('is one CommonJS file that says so', () => {
    expect(readdirSync(directory).sort()).toEqual(['index.js', 'package.json']);
    expect(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))).toEqual({ type: 'commonjs' });
  });

  test(`stays below ${budgetOf(name)} bytes`, () => {
    expect(bytes).toBe(Buffer.byteLength(code));
    expect(bytes).toBeLessThan(budgetOf(name));
  });

  test('takes credentials from the environment and from nowhere else', () => {
    expect(code).toContain('AWS_SESSION_TOKEN');
    expect(code).not.toMatch(/AssumeRoleWithWebIdentity|AWS_CONTAINER_CREDENTIALS|credential_process/);
  });

  test('checks what comes in and leaves out the schemas of what it answers', () => {
    expect(code).not.toMatch(/\["user","explicit","lapsed","default"\]|windowSeconds:\w+\(/);
  });

  test('exports a handler', () => {
    const root = Buffer.alloc(32).toString('base64');
    const ofEndpoints = { TABLE_NAME: 'table', ROOT_KEYS: `k1=local:${root}` };
    const environment = name === 'publish-changes' ? { EVENT_BUS_NAME: 'bus' } : ofEndpoints;
    expect(run(`console.log(typeof require('.').handler)`, directory, environment)).toBe('function');
  });
});

test('the same source gives the same bytes', () => {
  const first = readFileSync(join(bundleFunction('get-access', outDir).directory, 'index.js'));
  const second = readFileSync(join(bundleFunction('get-access', join(outDir, 'again')).directory, 'index.js'));
  expect(second.equals(first)).toBe(true);
});

test('the function for unknown routes answers 404 without any environment', () => {
  const { directory, bytes } = bundleFunction('refuse-unknown-route', outDir);
  const event = { requestContext: { requestId: 'r1', http: { method: 'GET', path: '/nowhere' } } };
  const script = `require('.').handler(${JSON.stringify(event)}).then((answer) => console.log(JSON.stringify(answer)))`;
  const answer = JSON.parse(run(script, directory, {}));
  expect(answer).toMatchObject({ statusCode: 404, headers: { 'content-type': 'application/problem+json' } });
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'route_not_found', requestId: 'r1' });
  expect(bytes).toBeLessThan(10_000);
});

/** The management function holds 28 operations; no application waits for its cold start. */
function budgetOf(name: string): number {
  return { manage: 400_000, 'publish-changes': 230_000 }[name] ?? 330_000;
}

function run(script: string, cwd: string, env: NodeJS.ProcessEnv): string {
  return execFileSync(process.execPath, ['-e', script], { cwd, env, encoding: 'utf8' }).trim();
}
