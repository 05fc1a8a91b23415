import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { serviceOperations } from '#shared/contract/operations.ts';
import { bundleFunction } from '../../lib/bundle-function.ts';

const outDir = mkdtempSync(join(tmpdir(), 'auth-service-'));
afterAll(() => rmSync(outDir, { recursive: true }));

describe.each([...Object.keys(serviceOperations), 'manage', 'publish-changes'])('the bundle of %s', (name) => {
  const { directory, bytes } = bundleFunction(name, outDir);
  const code = readFileSync(join(directory, 'function.js'), 'utf8');

  test('is the code, what V8 compiled of it, and a loader, as CommonJS that says so', () => {
    expect(readdirSync(directory).sort()).toEqual(['function.cache', 'function.js', 'index.js', 'package.json']);
    expect(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))).toEqual({ type: 'commonjs' });
  });

  test(`stays below ${budgetOf(name)} bytes`, () => {
    expect(bytes).toBe(Buffer.byteLength(code) + readFileSync(join(directory, 'index.js')).byteLength);
    expect(bytes).toBeLessThan(budgetOf(name));
  });

  test('is ASCII, as its loader reads it', () => {
    expect(Buffer.byteLength(code)).toBe(code.length);
  });

  test('takes credentials from the environment and from nowhere else', () => {
    expect(code).toContain('AWS_SESSION_TOKEN');
    expect(code).not.toMatch(/AssumeRoleWithWebIdentity|AWS_CONTAINER_CREDENTIALS|credential_process/);
  });

  test('checks what comes in and leaves out the schemas of what it answers', () => {
    expect(code).not.toMatch(/\["user","explicit","lapsed","default"\]|windowSeconds:\w+\(/);
  });

  test('exports a handler, from the code that V8 compiled in the build', () => {
    const root = Buffer.alloc(32).toString('base64');
    const ofEndpoints = { TABLE_NAME: 'table', ROOT_KEYS: `k1=local:${root}` };
    const environment = name === 'publish-changes' ? { EVENT_BUS_NAME: 'bus' } : ofEndpoints;
    const script = `${watchScripts} console.log(typeof require('.').handler, rejected)`;
    expect(run(script, directory, environment)).toBe('function [ false ]');
  });
});

test('the same source gives the same code and the same hash, whatever V8 made of it; RUNTIME_NODE makes it', () => {
  const first = bundleFunction('get-access', outDir);
  const script = `import { bundleFunction } from './lib/bundle-function.ts';
    console.log(bundleFunction('get-access', ${JSON.stringify(join(outDir, 'again'))}).hash)`;
  const runtimeNode = join(outDir, 'runtime-node');
  writeFileSync(runtimeNode, `#!/bin/sh\ntouch "$0-ran"\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const hash = execFileSync(process.execPath, options, {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, RUNTIME_NODE: runtimeNode },
    encoding: 'utf8',
  });
  expect(hash.trim()).toBe(first.hash);
  const codeIn = (folder: string) => readFileSync(join(folder, 'get-access/function.js'));
  expect(codeIn(join(outDir, 'again')).equals(codeIn(outDir))).toBe(true);
  expect(existsSync(`${runtimeNode}-ran`)).toBe(true);
});

describe('the code cache', () => {
  const fresh = (name: string) => {
    const directory = join(outDir, name);
    cpSync(bundleFunction('refuse-unknown-route', outDir).directory, directory, { recursive: true });
    return directory;
  };
  const event = { requestContext: { requestId: 'r1', http: { method: 'GET', path: '/nowhere' } } };
  const ask = `require('.').handler(${JSON.stringify(event)}).then(({ statusCode }) => console.log(statusCode, rejected))`;

  test('is left out for another processor, which would refuse it, and that is another hash', () => {
    const other = process.arch === 'arm64' ? 'x64' : 'arm64';
    const { directory, hash } = bundleFunction('refuse-unknown-route', join(outDir, 'other'), other);
    expect(readdirSync(directory).sort()).toEqual(['function.js', 'index.js', 'package.json']);
    expect(hash).not.toBe(bundleFunction('refuse-unknown-route', outDir).hash);
  });

  test('may be missing', () => {
    const directory = fresh('missing');
    rmSync(join(directory, 'function.cache'));
    expect(run(`${watchScripts} ${ask}`, directory, {})).toBe('404 [ undefined ]');
  });

  test.each([
    ['damaged', (cache: Buffer) => Buffer.from(cache).fill(0, 0, 16)],
    ['cut off', (cache: Buffer) => cache.subarray(0, 100)],
    ['empty', () => Buffer.alloc(0)],
  ])('that is %s is ignored without a word', (what, spoil) => {
    const directory = fresh(what);
    const file = join(directory, 'function.cache');
    writeFileSync(file, spoil(readFileSync(file)));
    expect(run(`${watchScripts} ${ask}`, directory, {})).toBe('404 [ true ]');
  });

  test('of other flags is ignored without a word', () => {
    const directory = fresh('flags');
    const answer = run(`${watchScripts} ${ask}`, directory, {}, ['--no-opt']);
    expect(answer).toBe('404 [ true ]');
  });

  test('leaves a stack trace that names the line and column of the code', () => {
    const directory = fresh('trace');
    const script = `require('.').handler({}).catch(({ stack }) => console.log(stack))`;
    const [, line = '', column = ''] = /function\.js:(\d+):(\d+)/.exec(run(script, directory, {})) ?? [];
    const lines = readFileSync(join(directory, 'function.js'), 'utf8').split('\n');
    expect(lines[Number(line) - 1]?.slice(Number(column) - 1)).toMatch(/^http\b/);
  });
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

/** Makes `rejected` the list of what V8 said to each code cache it was given. */
const watchScripts = `const rejected = [], vm = require('node:vm'), Script = vm.Script;
  vm.Script = class extends Script { constructor(...all) { super(...all); rejected.push(this.cachedDataRejected); } };`;

/** The management function holds 28 operations; no application waits for its cold start. */
function budgetOf(name: string): number {
  return { manage: 275_000, 'publish-changes': 180_000 }[name] ?? 235_000;
}

function run(script: string, cwd: string, env: NodeJS.ProcessEnv, flags: readonly string[] = []): string {
  return execFileSync(process.execPath, [...flags, '-e', script], { cwd, env, encoding: 'utf8' }).trim();
}
