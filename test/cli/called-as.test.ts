import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { commandLine, programName, withOptions } from '../../cli/terminal/command-line.ts';

const called = (script: string, env: NodeJS.ProcessEnv = {}) =>
  programName({ argv: ['/usr/bin/node', script, 'whoami'], execArgv: [], env });

test.each([
  ['a program in PATH', called('/usr/local/bin/auth-service'), 'auth-service'],
  ['npx', called('/home/eve/ops/node_modules/.bin/auth-service'), 'npx auth-service'],
  ['a script of the project', called('/src/cli/main.ts', { npm_lifecycle_event: 'manage' }), 'npm run -s manage --'],
  ['another script that runs it', called('/usr/bin/auth-service', { npm_lifecycle_event: 'nightly' }), 'auth-service'],
  ['Node.js', called('/src/my cli/main.ts'), "/usr/bin/node '/src/my cli/main.ts'"],
])('called as %s, the program names itself so that the name runs', (_, name, expected) => {
  expect(name).toBe(expected);
});

test.each([
  ['in the project', '/src/service', 'npm run -s manage --'],
  ['in a folder of the project', '/src/service/docs', 'npm run -s manage --'],
  ['in a folder beside the project', '/src/service-2', 'npm --prefix /src/service run -s manage --'],
  ['anywhere else', '/home/eve', 'npm --prefix /src/service run -s manage --'],
])('called by npm %s, it also names the folder if that is needed', (_, folder, expected) => {
  const env = { npm_lifecycle_event: 'manage', npm_config_local_prefix: '/src/service', INIT_CWD: folder };
  expect(called('/src/service/cli/main.ts', env)).toBe(expected);
});

test('a shell reads back exactly the arguments of a command line', () => {
  const awkward = [
    'plain',
    '',
    'two words',
    "it's",
    '"$HOME" `id` \\ !',
    '*',
    '-',
    'a\nb',
    'Müller',
    '~',
    '#1',
    'auth0|123',
  ];
  const shown = commandLine('printf', ['%s\\0', ...awkward]);
  expect(execFileSync('bash', ['-c', shown], { encoding: 'utf8' }).split('\0')).toEqual([...awkward, '']);
});

test.each([
  [
    ['list', '--cursor', 'a', '--all'],
    ['list', '--all', '--cursor', 'b'],
  ],
  [
    ['list', '--cursor=a', 'x'],
    ['list', 'x', '--cursor', 'b'],
  ],
  [
    ['find', '--', '--cursor', 'x'],
    ['find', '--cursor', 'b', '--', '--cursor', 'x'],
  ],
  [['list'], ['list', '--cursor', 'b']],
])('an option replaces the typed one: %j', (args, expected) => {
  expect(withOptions(args, { '--cursor': 'b' })).toEqual(expected);
});
