import { describe, expect, test } from '@jest/globals';
import { runHere } from './run-here.ts';

const run = (line: string) => runHere(line.split(' '), { cwd: '/' });

describe('help', () => {
  test.each([
    ['help apps create', 'apps create [options] <app> [name]'],
    ['help history verify', 'history verify [options] <file>'],
    ['help history', 'history [options] [command]'],
    ['apps help create', 'apps create [options] <app> [name]'],
    ['help', '[options] [command]'],
  ])('"%s" prints the help of that command', async (line, usage) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout.split('\n')[0], stderr]).toEqual([0, `Usage: auth-service ${usage}`, '']);
  });
});

describe('an unknown command is named, with the nearest one or the one that means the same, and the help of its group', () => {
  test.each([
    ['help apps creat', 'creat', ['  (Did you mean create?)'], 'apps --help'],
    ['help history veriyf', 'veriyf', ['  (Did you mean verify?)'], 'history --help'],
    ['history veriyf all.json', 'veriyf', ['  (Did you mean verify?)'], 'history --help'],
    ['key list', 'key', ['  (Did you mean keys?)'], '--help'],
    ['users get ada', 'get', ['  (Did you mean show?)'], 'users --help'],
    ['roles rm billing editor', 'rm', ['  (Did you mean delete?)'], 'roles --help'],
    ['block ada billing', 'block', ['  (Did you mean access set?)'], '--help'],
    ['help nonsense', 'nonsense', [], '--help'],
  ])('%s', async (line, word, suggestion, help) => {
    const { code, stdout, stderr } = await run(line);
    const lines = [`error: unknown command '${word}'`, ...suggestion, `  Help: auth-service ${help}`, ''];
    expect([code, stdout, stderr.split('\n')]).toEqual([2, '', lines]);
  });
});

test('a group without a command prints its help, and fails', async () => {
  const { code, stdout, stderr } = await run('apps');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Usage: auth-service apps \[options\] \[command\]\n/);
  expect(stderr).not.toContain('error:');
});

test('the usage and the examples have the name by which the program was called', async () => {
  const called = { cwd: '/', env: { npm_lifecycle_event: 'manage' } };
  const { stdout } = await runHere(['help', 'access', 'set'], called);
  const name = 'npm run -s manage --';
  expect(stdout).toMatch(new RegExp(`^Usage: ${name} access set .*\n +${name} access set `));
  expect(stdout).toContain(`  $ ${name} access set ada billing allowed\n`);
  expect(stdout).toContain(`| jq -r .userId | ${name} access set --users-file - billing blocked\n`);
  expect(stdout).not.toContain('auth-service');
});
