import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bareEnvironment } from '../support/environments.ts';
import { needing } from '../support/needing.ts';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { app, role } from './views.ts';

const folder = mkdtempSync(join(tmpdir(), 'auth-service-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Two deployments are configured, and the program is in PATH. */
beforeAll(() => {
  const [prod, staging] = [{ url: 'https://a.example.com' }, { url: 'https://b.example.com' }];
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ deployments: { prod, staging } }));
  const main = join(import.meta.dirname, '../../cli/main.ts');
  const command = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"`;
  writeFileSync(join(folder, 'auth-service'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'ids.txt'), 'ada\n');
});

describe('the completions of a command line', () => {
  test.each([
    ['', ['apps', 'keys', 'roles', 'users', 'access', 'grants', 'history', 'completion', '--url', '--version']],
    ['apps', ['create', 'list', 'show', 'rename', 'rollout', 'delete', '--json', '--help']],
    ['apps delete billing', ['--force', '--deployment']],
    ['--json users set-status ada', ['active', 'inactive', '--reason']],
    ['access set ada billing', ['allowed', 'blocked']],
    ['access set --users-file ids.txt billing', ['allowed', 'blocked']],
    ['completion', ['bash', 'zsh', 'fish']],
    ['deployments remove', ['prod', 'staging', 'local', '--help']],
    // A value with the name of a command is not a command.
    ['apps list --deployment users', ['--cursor']],
  ])('%j', async (line, words) => {
    expect(await wordsAfter(line)).toEqual(expect.arrayContaining(words));
  });

  test.each([
    ['keys issue billing --scope', ['access:read', 'access:write', 'roles:write', 'webhooks:write']],
    ['users show ada --deployment', ['prod', 'staging', 'local']],
    ['access set --users-file', []],
  ])('after an option are only its values: %j', async (line, words) => {
    expect(await wordsAfter(line)).toEqual(words);
  });

  test.each([
    ['access set', 'where the user comes first'],
    ['access set ada billing blocked', 'after the last argument'],
  ])('%j is followed by no status: %s', async (line) => {
    const words = await wordsAfter(line);
    expect(words.filter((word) => !word.startsWith('--'))).toEqual([]);
  });

  test('offers no hidden command', async () => {
    expect(await wordsAfter('')).not.toContain('complete');
  });

  async function wordsAfter(line: string): Promise<string[]> {
    const words = line.split(' ').filter((word) => word !== '');
    const env = { AUTH_SERVICE_CONFIG_DIR: folder };
    const { code, stdout, stderr } = await runHere(['complete', '--', ...words], { cwd: '/', env });
    expect([code, stderr]).toEqual([0, '']);
    return stdout.split('\n').flatMap((each) => each.split('\t')[0] || []);
  }
});

describe('names in the completions', () => {
  const { stub, place } = describeStub();
  beforeEach(() => {
    stub.on('GET /applications', { body: { items: [app], cursor: null } });
    stub.on('GET /applications/billing/roles', {
      body: { items: [{ ...role, description: 'may edit' }], cursor: null },
    });
  });
  const offeredAfter = async (line: string, more: readonly string[] = []) => {
    const args = ['complete', '--', ...line.split(' '), ...more];
    const { code, stdout, stderr } = await runHere(args, { cwd: place.folder });
    expect([code, stderr]).toEqual([0, '']);
    return stdout.split('\n').filter((each) => each !== '' && !each.startsWith('--'));
  };

  test.each([
    ['access set ada', ['billing\tBilling']],
    ['history --app', ['billing\tBilling']],
    ['grants assign ada billing', ['editor\tmay edit']],
    ['grants assign --users-file ids.txt billing', ['editor\tmay edit']],
    ['roles members billing', ['editor\tmay edit']],
  ])('after %j are those of the service', async (line, offered) => {
    expect(await offeredAfter(line)).toEqual(offered);
  });

  test('are missing without a message if the service does not answer, which is asked once', async () => {
    stub.on('GET /applications', { status: 503, body: {} });
    expect(await offeredAfter('access set ada')).toEqual([]);
    expect(stub.requests).toHaveLength(1);
    expect(await offeredAfter('--url http://127.0.0.1:1 --region x access set ada')).toEqual([]);
  });
});

/**
 * How to get the completions of LINE from each shell with the script in SCRIPT, and how to extract the words from its
 * output.
 */
const shells = {
  bash: {
    command: [
      '--norc',
      '-uc',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash
      'source "$SCRIPT"; COMP_LINE="$LINE" COMP_POINT="${#LINE}"; _auth_service; [ "${COMPREPLY[*]}" ] || echo files; printf "%s\\n" "${COMPREPLY[@]}"',
    ],
    wordOf: (line: string) => line,
  },
  zsh: {
    // The completion of zsh needs a terminal.
    command: [
      '-fc',
      `compdef() { :; }; _describe() { print -rl -- "\${(@P)2}" }; _files() { print files }; source "$SCRIPT"
words=("\${(@z)LINE}"); [[ "$LINE" == *' ' ]] && words+=(''); CURRENT=$#words; _auth_service`,
    ],
    wordOf: (line: string) => line.replace(/(?<!\\):.*/, '').replaceAll('\\:', ':'),
  },
  fish: {
    command: ['--no-config', '-c', 'source "$SCRIPT"; complete -C "$LINE"'],
    wordOf: (line: string) => line.replace(/\t.*/, ''),
  },
} as const;

describe('bash', () => describeShell('bash'));
needing('zsh').describe('zsh', () => describeShell('zsh'));
needing('fish').describe('fish', () => describeShell('fish'));

function describeShell(shell: keyof typeof shells): void {
  beforeAll(async () => {
    const { code, stdout } = await runHere(['completion', shell], { cwd: '/' });
    expect(code).toBe(0);
    writeFileSync(join(folder, shell), stdout);
  });

  test.each([
    ['auth-service apps ren', ['rename']],
    ['auth-service apps delete billing --f', ['--force']],
    ['auth-service use p', ['prod']],
  ])('completes %j', (line, words) => {
    expect(offers(line)).toEqual(words);
  });

  test('completes a word with a colon', () => {
    // Bash has already split the word at its colons.
    const expected = shell === 'bash' ? ['read', 'write'] : ['access:read', 'access:write'];
    expect(offers('auth-service keys issue billing --scope access:')).toEqual(expected);
  });

  test('offers files where a value can be anything', () => {
    expect(offers('auth-service access set --users-file ids')).toEqual([shell === 'fish' ? 'ids.txt' : 'files']);
  });

  test('executes nothing in the line', () => {
    const made = join(folder, `made-by-${shell}`);
    offers(`auth-service users show "$(touch ${made})" \`touch ${made}\` ; touch ${made} ; auth-service apps `);
    offers(`auth-service users show "$(touch ${made})" --dep`);
    expect(existsSync(made)).toBe(false);
  });

  /** The words that the shell offers; zsh filters them when it displays them. */
  function offers(line: string): string[] {
    const { command, wordOf } = shells[shell];
    const found = {
      ...bareEnvironment,
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      AUTH_SERVICE_CONFIG_DIR: folder,
    };
    const env = { ...found, SCRIPT: join(folder, shell), LINE: line };
    const stdout = execFileSync(shell, command, { cwd: folder, env, encoding: 'utf8' });
    const words = stdout.split('\n').flatMap((each) => wordOf(each) || []);
    return shell === 'zsh' ? words.filter((word) => word === 'files' || word.startsWith(lastOf(line))) : words;
  }
}

function lastOf(line: string): string {
  return line.split(' ').at(-1) ?? '';
}
