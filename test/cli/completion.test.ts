import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runHere } from './run-here.ts';

const scripts = new Map<string, string>();
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runHere(['completion', shell], { cwd: '/' });
    expect(code).toBe(0);
    scripts.set(shell, stdout);
  }
});

/** A program that knows two deployments. */
const programs = mkdtempSync(join(tmpdir(), 'auth-service-completion-'));
writeFileSync(
  join(programs, 'auth-service'),
  '#!/bin/sh\n[ "$*" = "deployments list --names" ] && printf "prod\\nstaging\\n"\n',
  { mode: 0o755 },
);
afterAll(() => rmSync(programs, { recursive: true }));

/** What bash offers after a command line. */
async function offers(line: string): Promise<string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash
  const ask = 'eval "$SCRIPT"; COMP_LINE="$1"; COMP_POINT=${#1}; _auth_service; printf "%s\\n" "${COMPREPLY[@]}"';
  const env = { PATH: `${programs}:${process.env.PATH}`, SCRIPT: scripts.get('bash') };
  const { stdout } = await promisify(execFile)('bash', ['-uc', ask, 'bash', line], { env });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('bash completes', () => {
  test.each([
    ['auth-service ', ['apps', 'keys', 'roles', 'users', 'access', 'grants', 'history', 'completion', '--url']],
    ['auth-service apps ', ['create', 'list', 'show', 'rename', 'rollout', 'delete', '--json', '--help']],
    ['auth-service apps c', ['create']],
    ['auth-service apps delete billing --f', ['--force']],
    ['auth-service --json users set-status ada i', ['inactive']],
    ['auth-service access set ada billing en', ['enabled']],
    ['auth-service keys issue billing --scope ', ['access:read', 'access:write', 'roles:write']],
    ['auth-service completion z', ['zsh']],
    ['auth-service use p', ['prod']],
    ['auth-service deployments remove ', ['prod', 'staging', '--help']],
    ['auth-service users show ada --deployment ', ['prod', 'staging']],
  ])('%j', async (line, words) => {
    expect(await offers(line)).toEqual(expect.arrayContaining(words));
  });

  test('nothing else where a value follows, so that files can', async () => {
    expect(await offers('auth-service access set --users-file ')).toEqual([]);
  });

  test('behind a colon only what is left of the word', async () => {
    expect(await offers('auth-service keys issue billing --scope access:')).toEqual(['read', 'write']);
  });
});

describe.each(['bash', 'zsh', 'fish'])('the script for %s', (shell) => {
  test('knows every command, option and value', () => {
    const words = [
      'set-status',
      'users-file',
      'inactive',
      'access:write',
      'rotate',
      'follow',
      'json',
      'deployments list --names',
    ];
    expect(words.filter((word) => !scripts.get(shell)?.includes(word))).toEqual([]);
  });

  // CI installs them all; a contributor need not.
  const installed = process.env.CI === 'true' || spawnSync(shell, ['-c', 'exit']).status === 0;
  (installed ? test : test.skip)('can be parsed by it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'auth-service-completion-'));
    const file = join(folder, shell);
    writeFileSync(file, scripts.get(shell) ?? '');
    const { stderr, status } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
  });
});
