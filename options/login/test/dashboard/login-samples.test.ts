import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { needing } from '#test/support/needing.ts';
import { loginSamples, type SampleLogin } from '../../dashboard/login-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'login-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const clientId = '1example23456789abcdefghijk';
const issuer = 'https://login.example.com/pool';
const redirectUris = ['com.example.app:/callback', 'https://app.example.com/auth/callback'];
const types = ['public', 'confidential'] as const;

function sampleOf(framework: string, login: Partial<SampleLogin> = {}): string {
  const samples = loginSamples({ clientId, issuer, redirectUris, clientType: 'public', ...login });
  return samples.find(({ id }) => id === framework)?.code ?? '';
}

/** Runs a program with the sample in a file of this name; it fails if the sample has an error. */
function compile(name: string, code: string, program: string, ...args: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return execFileSync(program, [...args, file], { encoding: 'utf8' });
}

describe.each(['express', 'next', 'flask', 'go', 'grafana'])('the sample for %s', (framework) => {
  test('has the client ID and the issuer', () => {
    const code = sampleOf(framework);
    expect(code).toContain(clientId);
    expect(code).toContain(issuer);
  });

  test('takes the secret of a confidential client from the environment, and of a public one none', () => {
    expect(sampleOf(framework, { clientType: 'confidential' })).toMatch(/\bCLIENT_SECRET\b/);
    expect(sampleOf(framework)).not.toMatch(/secret[^\n]*CLIENT_SECRET/i);
  });
});

test('the samples return to an address of the web, whatever is first in the list', () => {
  expect(sampleOf('express')).toContain('const redirectUri = "https://app.example.com/auth/callback";');
  expect(sampleOf('express')).toContain('app.get("/auth/callback"');
  expect(sampleOf('next')).toContain('https://app.example.com/api/auth/callback/login');
  expect(sampleOf('grafana')).toContain('https://app.example.com/login/generic_oauth');
});

test('an application without an address of the web gets samples with an example of one', () => {
  expect(sampleOf('flask', { redirectUris: ['com.example.app:/cb'] })).toContain('"https://app.example.com/callback"');
});

test('only an issuer without TLS, as that of a local run, is allowed to have none', () => {
  expect(sampleOf('express')).not.toContain('allowInsecureRequests');
  for (const clientType of types) {
    const code = sampleOf('express', { clientType, issuer: 'http://127.0.0.1:3002' });
    expect(code).toMatch(/, \{ execute: \[oidc\.allowInsecureRequests\] \}\);/);
  }
});

test.each(types)('the JavaScript for a %s client has no error in its syntax', (clientType) => {
  for (const framework of ['express', 'next']) {
    const code = sampleOf(framework, { clientType, issuer: 'http://127.0.0.1:3002' });
    expect(compile(`${framework}.mjs`, code, process.execPath, '--check')).toBe('');
  }
});

needing('Python').describe('the Python', () => {
  test.each(types)('for a %s client has no error in its syntax', (clientType) => {
    const code = sampleOf('flask', { clientType });
    expect(compile('login.py', code, 'python3', '-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())')).toBe('');
  });
});

needing('Go').describe('the Go', () => {
  test.each(types)('for a %s client is formatted as gofmt does', (clientType) => {
    expect(compile('main.go', sampleOf('go', { clientType }), 'gofmt', '-l')).toBe('');
  });
});
