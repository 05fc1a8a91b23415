import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needing } from '../support/needing.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { languageNames, openSigners, type ReferenceSigners, toolsOf } from './reference-signers.ts';
import { isSignable, vectors } from './vectors.ts';

const folder = join(import.meta.dirname, '../../examples/signers');
const files = readdirSync(folder).filter((name) => name.includes('.'));

let service: TestService;
let signers: ReferenceSigners;
beforeAll(async () => {
  [service, signers] = await Promise.all([startSources(), openSigners()]);
});
afterAll(async () => {
  await signers.remove();
  await service.stop();
});

test('there are seven languages, and each file has at most 45 lines', () => {
  expect(languageNames).toEqual(['bash', 'python', 'go', 'java', 'php', 'ruby', 'c#']);
  const lengths = files.map((name) => [name, readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').length]);
  expect(lengths).toHaveLength(10);
  expect(lengths.filter(([, lines]) => Number(lines) > 45)).toEqual([]);
});

for (const language of languageNames) {
  needing(...toolsOf(language)).describe(`the running service accepts requests of the ${language} signer`, () => {
    const send = async (method: string, target: string, body?: object, more: Readonly<Record<string, string>> = {}) => {
      const { keyId: KEY_ID, secret: SECRET } = service.billingKey;
      const args = [
        method,
        `${service.url}/api/service${target}`,
        ...(body === undefined ? [] : [JSON.stringify(body)]),
      ];
      const { exitCode, stdout } = await signers.run(language, args, { KEY_ID, SECRET, ...more });
      return { exitCode, body: JSON.parse(stdout) };
    };

    test('with a UTF-8 body, then without a body', async () => {
      const reason = `gekündigt in ${language} – 世界`;
      const written = await send('PUT', '/users/auth0%7C123/access', { status: 'disabled', reason });
      expect(written).toMatchObject({ exitCode: 0, body: { userId: 'auth0|123', status: 'disabled', reason } });
      const read = await send('GET', '/users/auth0%7C123/access');
      expect(read).toMatchObject({ exitCode: 0, body: { userId: 'auth0|123', reason } });
    });

    test('with a body in a DELETE', async () => {
      await send('POST', '/roles/a%2Bb%40c.de/assign', { role: 'editor' });
      const revoked = await send('DELETE', '/users/a%2Bb%40c.de/revoke', { role: 'editor' });
      expect(revoked).toMatchObject({ exitCode: 0, body: { userId: 'a+b@c.de', roles: [], changed: true } });
    });

    test('with a query in a DELETE', async () => {
      await service.request(['POST', '/api/service/roles/urn%3Ax%3A1/assign'], { body: { role: 'viewer' } });
      const revoked = await send('DELETE', '/users/urn%3Ax%3A1/revoke?role=viewer');
      expect(revoked).toMatchObject({ exitCode: 0, body: { userId: 'urn:x:1', roles: [], changed: true } });
    });

    test('with an If-Match, which matches one version', async () => {
      const path = '/users/o%27brien%40example.org/access';
      const write = (body: object, ifMatch: string) => send('PUT', path, body, { IF_MATCH: ifMatch });
      const { body } = await write({ status: 'enabled' }, '*');
      const current = `"${body.version}"`;
      const blocked = await write({ status: 'disabled' }, current);
      expect(blocked).toMatchObject({ exitCode: 0, body: { status: 'disabled', changed: true } });
      const stale = await write({ status: 'enabled' }, current);
      expect(stale.body).toMatchObject({ code: 'version_mismatch', version: blocked.body.version });
    });

    test('and prints the problem and fails if the service refuses one', async () => {
      const { exitCode, body } = await send('GET', '/users/nobody/access');
      expect(body).toMatchObject({ status: 404, code: 'user_not_found' });
      expect(exitCode).not.toBe(0);
    });
  });
}

const signable = vectors.filter(isSignable);

test('the reference signers support many of the accepted vectors', () => {
  expect(signable.length).toBeGreaterThanOrEqual(15);
});

for (const language of languageNames) {
  needing(...toolsOf(language)).test(
    `the ${language} signer signs the accepted vectors as the independent library does`,
    async () => {
      const runs = signable.map(async ({ request, key, signatureBase, signature }) => {
        const { method, url, headers, body } = request;
        const [, created = '', nonce = ''] =
          /created=(\d+);nonce="([^"]*)"/.exec(String(headers['Signature-Input'])) ?? [];
        const env = { KEY_ID: key.id, SECRET: key.secret, SIGN_CREATED: created, SIGN_NONCE: nonce, SIGN_ONLY: '1' };
        const condition = headers['If-Match'] === undefined ? {} : { IF_MATCH: String(headers['If-Match']) };
        const args = [method, url, ...(body === undefined ? [] : [body])];
        const { stdout } = await signers.run(language, args, { ...env, ...condition });
        expect(stdout).toBe(`${signatureBase}\n\nsig1=:${signature}:\n`);
      });
      await Promise.all(runs);
    },
  );

  needing(...toolsOf(language)).test(
    `the ${language} signer keeps the given nonce for a retry, and uses the time of each attempt`,
    async () => {
      const env = { KEY_ID: 'svk_k1_billing_1', SECRET: 'svs_1', SIGN_NONCE: 'call-0123456789abcdef', SIGN_ONLY: '1' };
      const { stdout } = await signers.run(language, ['GET', 'https://auth.example.com/'], env);
      const [, created, nonce] = /;created=(\d+);nonce="([^"]*)"/.exec(stdout) ?? [];
      expect(nonce).toBe(env.SIGN_NONCE);
      expect(Math.abs(Number(created) - Date.now() / 1000)).toBeLessThan(60);
    },
  );
}

needing('curl', 'OpenSSL').test(
  'the bash signer passes the secret to no program as an argument, where `ps` would show it',
  async () => {
    const watched = await mkdtemp(join(tmpdir(), 'auth-service-watched-'));
    for (const program of ['openssl', 'base64', 'curl', 'date']) {
      const script = `#!/bin/bash\necho ${program} "$@" >> '${watched}/log'\nPATH=\${PATH#*:} exec ${program} "$@"\n`;
      await writeFile(join(watched, program), script, { mode: 0o700 });
    }
    const { keyId: KEY_ID, secret: SECRET } = service.billingKey;
    const args = ['GET', `${service.url}/api/service/users/ada/access`];
    const { exitCode } = await signers.run('bash', args, { KEY_ID, SECRET, PATH: `${watched}:${process.env.PATH}` });
    const log = await readFile(join(watched, 'log'), 'utf8');
    await rm(watched, { recursive: true });
    expect(exitCode).toBe(0);
    expect(log).toMatch(/^openssl dgst.*^curl .*Signature: sig1=/ms);
    expect(log).not.toContain(SECRET);
  },
);
