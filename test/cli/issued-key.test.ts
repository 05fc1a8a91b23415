import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { problem } from './stub-service.ts';
import { key } from './views.ts';

const { secret, keyId } = key;
const { stub, place } = describeStub();
let folder: string;
let file: string;
let count = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'auth-service-keys-'));
});
beforeEach(() => {
  const own = join(folder, String(++count));
  mkdirSync(own);
  file = join(own, 'key.json');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const filesIn = (path: string) => readdirSync(join(path, '..'));

describe.each([
  ['keys issue billing', 'POST /applications/billing/keys'],
  [`keys rotate billing ${keyId} --overlap 1h`, `POST /applications/billing/keys/${keyId}/rotate`],
])('%s --out', (command, route) => {
  const run = (...more: readonly string[]) =>
    runHere([...command.split(' '), '--out', file, ...more], { cwd: place.folder });

  test('a key is written with its secret to a file readable only by its owner, and the secret is not shown', async () => {
    stub.on(route, { body: key });
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([0, `Wrote the key ${keyId} and its secret to ${file}, which only you can read.\n`]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesIn(file)).toEqual(['key.json']);
    expect(stdout + stderr + (await run('--json')).stdout).not.toContain(secret);
  });

  test('the secret alone is written with --quiet', async () => {
    stub.on(route, { body: key });
    expect((await run('--quiet')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`${secret}\n`);
  });

  test('with --json the key is shown without its secret', async () => {
    stub.on(route, { body: key });
    const { secret: _, ...rest } = key;
    expect(JSON.parse((await run('--json')).stdout)).toEqual(rest);
  });

  test('no key is requested when the file exists, or has no folder', async () => {
    writeFileSync(file, 'another secret');
    expect(await run()).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: Cannot write ${file}: it already exists\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('another secret');
    file = join(folder, 'nowhere', 'key.json');
    expect((await run()).code).toBe(2);
    expect(stub.requests).toEqual([]);
  });

  test('the file is removed if the key is refused', async () => {
    stub.on(route, problem('application_not_found', 'There is no application with this id.'));
    expect((await run()).code).toBe(4);
    expect(filesIn(file)).toEqual([]);
  });

  test('if the file can no longer be written, the key is named so that it can be revoked', async () => {
    stub.on(route, () => {
      rmSync(join(file, '..'), { recursive: true });
      return { body: key };
    });
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`error: The key ${keyId} was issued, but ${file} cannot be written: ENOENT`);
    expect(stderr).toContain(`Its secret is lost. Revoke it: auth-service keys revoke billing ${keyId}\n`);
    expect(stderr).not.toContain(secret);
  });
});
