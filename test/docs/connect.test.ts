import { execFile, spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { buildClient } from '../../client/build/build-client.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { needing } from '../support/needing.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const page = await readDocument('docs/integrate/README.md');
const users = ['ada', 'grace', 'nobody'];
const decisions = ['ada true', 'grace false', 'nobody false'];

let service: TestService;
let folder: ProjectFolder;
let scratch: string;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startSources();
  folder = await openProjectFolder(service);
  await buildClient(join(folder.path, 'client/package'));
  scratch = mkdtempSync(join(tmpdir(), 'connect-'));
  const { keyId: KEY_ID, secret: SECRET } = service.wikiKey;
  env = { BASE_URL: service.url, KEY_ID, SECRET };
  const target = '/api/service/users/grace/access';
  await service.request(['PUT', target], { key: service.wikiKey, body: { status: 'disabled' } });
});
afterAll(async () => {
  rmSync(scratch, { recursive: true });
  await folder.remove();
  await service.stop();
});

async function run(program: string, args: readonly string[], cwd = scratch, more: object = {}): Promise<string[]> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env, ...more } });
  return stdout.trim().split('\n');
}

function write(heading: string, language: string, path: string): void {
  const [block = ''] = page.section(heading).blocks(language);
  writeFileSync(path, block);
}

test('the application in Node.js lets in who may enter', async () => {
  const program = join(folder.path, 'connect.mjs');
  write('### An application in Node.js', 'js', program);
  expect(await run(process.execPath, [program, ...users])).toEqual(decisions);
});

needing('Python packages').test(
  'the application in Python lets in who may enter, and nobody without an answer',
  async () => {
    write('### An application in Python', 'python', join(scratch, 'connect.py'));
    const sdk = { PYTHONPATH: join(folder.path, 'sdk/python/src') };
    const said = await run('/usr/bin/python3', ['connect.py', ...users], scratch, sdk);
    expect(said.map((line) => line.toLowerCase())).toEqual(decisions);
    const nowhere = { ...sdk, BASE_URL: 'http://127.0.0.1:9' };
    expect(await run('/usr/bin/python3', ['connect.py', 'ada'], scratch, nowhere)).toEqual(['ada False']);
  },
);

needing('Java').test('the application in Java lets in who may enter, and nobody without an answer', async () => {
  write('### An application in Java', 'java', join(scratch, 'Connect.java'));
  const classes = join(scratch, 'java');
  const sources = globSync(join(folder.path, 'sdk/java/src/main/java/authservice/*.java'));
  await run('javac', ['-d', classes, ...sources]);
  const program = ['-cp', classes, 'Connect.java'];
  expect(await run('java', [...program, ...users])).toEqual(decisions);
  const nowhere = { BASE_URL: 'http://127.0.0.1:9' };
  expect(await run('java', [...program, 'ada'], scratch, nowhere)).toEqual(['ada false']);
});

needing('Go').test('the application in Go lets in who may enter, and nobody without an answer', async () => {
  const application = join(scratch, 'go');
  mkdirSync(application);
  write('### An application in Go', 'go', join(application, 'main.go'));
  const sdk = `auth-service/authservice=${join(folder.path, 'sdk/go')}`;
  await run('go', ['mod', 'init', 'example.com/connect'], application);
  await run('go', ['mod', 'edit', '-require', 'auth-service/authservice@v0.1.0', '-replace', sdk], application);
  const program = join(scratch, 'connect');
  await run('go', ['build', '-o', program], application, { GOPROXY: 'off' });
  expect(await run(program, users)).toEqual(decisions);
  expect(await run(program, ['ada'], scratch, { BASE_URL: 'http://127.0.0.1:9' })).toEqual(['ada false']);
});

describe('an application behind an OpenID provider', () => {
  const [kid, audience] = ['one', 'wiki'];
  let provider: Server;
  let issuer: string;
  let sign: (claims: Record<string, string>, aud?: string) => Promise<string>;
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const keys = [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256' }];
    // Stands in for Entra ID, Google and Keycloak: an issuer with discovery and published keys.
    provider = createServer(({ url }, response) => {
      const answer = url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    sign = (claims, aud = audience) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(issuer)
        .setAudience(aud)
        .setExpirationTime('1m')
        .sign(privateKey);
  });
  afterAll(() => new Promise((resolve) => provider.close(resolve)));

  const rows = [...page.section('### An OpenID provider').text.matchAll(/^\| (\S.*?) +\| `https.*\| `(\w+)` +\|$/gm)];
  const claims = rows.map(([, name = '', claim = '']) => [name, claim] as const);

  test('the page names a claim for each provider', () => {
    expect(claims).toEqual([
      ['Entra ID', 'oid'],
      ['Google', 'sub'],
      ['Keycloak', 'sub'],
      ['Okta', 'uid'],
    ]);
  });

  test.each(claims)('lets in users of %s who may enter, by the claim %s', async (_, claim) => {
    const port = await freePort();
    const [block = ''] = page.section('### An OpenID provider').blocks('js');
    const program = join(folder.path, `provider-${claim}.mjs`);
    writeFileSync(program, block.replace('8080', String(port)));
    const settings = { ISSUER: issuer, AUDIENCE: audience, CLAIM: claim };
    const application = spawn(process.execPath, [program], {
      cwd: folder.path,
      env: { ...process.env, ...env, ...settings },
      stdio: 'ignore',
    });
    const ask = async (token?: string) => {
      const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      return (await fetch(`http://127.0.0.1:${port}/`, { headers })).status;
    };
    try {
      await eventually(
        () => ask().catch(() => undefined),
        (status) => status !== undefined,
      );
      const other = claim === 'sub' ? {} : { sub: 'pairwise' };
      expect(await ask(await sign({ ...other, [claim]: 'ada' }))).toBe(200);
      expect(await ask(await sign({ ...other, [claim]: 'grace' }))).toBe(403);
      expect(await ask(await sign({ ...other, [claim]: 'nobody' }))).toBe(403);
      expect(await ask(await sign({ ...other, [claim]: 'ada' }, 'another'))).toBe(401);
      expect(await ask(await sign({ other: 'ada' }))).toBe(401);
      expect(await ask('ada')).toBe(401);
      expect(await ask()).toBe(401);
    } finally {
      application.kill();
    }
  });
});
