import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createProgram } from '../../cli/program.ts';
import { createContextProvider } from '../../cli/service/command-context.ts';
import { hasCommand } from '../../cli/terminal/command-group.ts';
import { commandLine } from '../../cli/terminal/command-line.ts';
import { createTerminal } from '../../cli/terminal/terminal.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { bareEnvironment } from '../support/environments.ts';
import { newUser } from '../support/new-user.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { optionHints, type Situation } from './option-hints.ts';
import { type RefusingProxy, startRefusingProxy } from './refusing-proxy.ts';

const root = join(import.meta.dirname, '../..');
const program = commandLine(process.execPath, [join(root, 'cli/main.ts')]);

let service: TestService;
let proxy: RefusingProxy;
let folder: string;
beforeAll(async () => {
  service = await startSources();
  proxy = await startRefusingProxy(service.manageUrl);
  folder = mkdtempSync(join(tmpdir(), 'auth-service hints-'));
  mkdirSync(join(folder, '.local'));
  const example = { manageUrl: proxy.url, region: localAccess.region, ...service.accessKey };
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify(example));
  writeFileSync(join(folder, "the team's ids.txt"), 'ada\ngrace\n');
  const ids = Array.from({ length: 101 }, (_, at) => `person-${at}`);
  for (const userId of ids) await newUser(userId);
  writeFileSync(join(folder, 'many.txt'), ids.join('\n'));
  // Stands in for the AWS CLI: the command is right if its arguments are.
  writeFileSync(join(folder, 'aws'), '#!/bin/sh\nexec echo "aws $*"\n', { mode: 0o755 });
  mkdirSync(join(folder, '.aws'));
  writeFileSync(
    join(folder, '.aws/config'),
    '[profile ops]\nregion = eu-central-1\n[profile unsigned]\nsso_session = gone\n',
  );
  for (const line of optionHints.flatMap(({ prepare }) => prepare)) {
    expect((await type(`${program} ${line}`)).code).toBe(0);
  }
});
afterEach(() => {
  proxy.isRefused = () => false;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await proxy.close();
  await service.stop();
});

/** Types a line into a shell. */
async function type(line: string, { env, cwd = folder }: Pick<Situation, 'env' | 'cwd'> = {}) {
  const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = service.accessKey;
  const credentials = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION: localAccess.region };
  const found = { ...bareEnvironment, PATH: `${folder}:${process.env.PATH}`, HOME: folder, ...credentials, ...env };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile('bash', ['-c', line], { cwd, env: found }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** The only command after these words in what a command printed. */
function hintAfter(words: string, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  const found = `${stdout}${stderr}`.split('\n').flatMap((line) => line.split(`${words} `).slice(1));
  expect([words, found]).toEqual([words, [expect.any(String)]]);
  return found[0] ?? '';
}

/** Every hint that the program can print, by the file that prints it; rotate-all.test.ts has the one that needs two roots. */
const situations: Readonly<Record<string, readonly Situation[]>> = {
  ...Object.assign({}, ...optionHints.map((hints) => hints.situations)),
  'cli/bulk/run-bulk.ts': [
    {
      words: 'Undo with:',
      line: `access set --users-file "the team's ids.txt" billing disabled --reason "a 'b'"`,
      needs: ['bulk', 'undo'],
      shows: /^Undid 2 of 2 changes\./,
    },
    {
      words: 'Resume with:',
      line: `access set --users-file many.txt billing disabled --reason "it's $HOME" --until 2h --timeout 120`,
      refused: /^POST \/applications\/billing\/access/,
      forwarded: 1,
      shows: /^101 users: 101 changed, 0 unchanged, 0 failed\./,
    },
  ],
  'cli/service/show-pages.ts': [
    { words: 'The next page:', line: 'history --since 7d --limit=1 --app billing', shows: /^WHEN .*\n.* billing/ },
  ],
  'cli/commands/app-history-command.ts': [
    { words: 'Continue later with:', line: 'history app billing --after ""', shows: /^$/ },
  ],
  'cli/bulk/export-users.ts': [
    {
      words: 'Continue with:',
      line: "users export --out 'all people.csv' --status active --timeout 120",
      refused: /^GET \/users\?.*cursor/,
      shows: /^$/,
    },
  ],
  'cli/bulk/roll-out.ts': [
    {
      words: 'Count the users with:',
      line: 'apps rollout billing 100',
      refused: /^GET \/users\?/,
      shows: /^No change: the rollout of billing is 100 %\.\nIt admits \d+ of /,
    },
    { words: 'Undo with:', line: 'apps rollout billing 99 --yes', shows: /^Undone by the change / },
  ],
  'cli/keys/take-secret.ts': [
    {
      words: 'Revoke it:',
      line: "keys issue billing --out 'gone soon/key.json'",
      before: () => mkdirSync(join(folder, 'gone soon')),
      meanwhile: () => rmSync(join(folder, 'gone soon'), { recursive: true, force: true }),
      shows: /^Revoked the key svk_/,
    },
  ],
  'cli/keys/rotation-folder.ts': [
    {
      words: 'or run:',
      line: "keys rotate-all --root k1 --overlap 0s --dry-run --out 'new keys'",
      before: () => {
        mkdirSync(join(folder, 'new keys'));
        chmodSync(join(folder, 'new keys'), 0o755);
      },
      shows: /^$/,
    },
  ],
  'cli/commands/deployment-commands.ts': [
    { words: 'To add one:', line: 'deployments list', shows: /deployments add \[options\] <name> <url>/ },
    {
      words: 'Choose it with:',
      line: 'deployments add here https://auth.example.com --region local',
      shows: /^Commands now call here,/,
    },
  ],
  'cli/service/deployments.ts': [
    { words: 'To add one:', line: 'use nowhere', shows: /deployments add \[options\] <name> <url>/ },
    { words: 'To add one:', line: 'whoami --deployment nowhere', shows: /deployments add \[options\] <name> <url>/ },
  ],
  'cli/service/find-service.ts': [
    {
      words: 'To give a deployment a name:',
      line: 'apps list',
      cwd: '/',
      env: { AUTH_SERVICE_CONFIG_DIR: '/nowhere' },
      shows: /deployments add \[options\] <name> <url>/,
    },
  ],
  'cli/service/aws-credentials.ts': [
    {
      words: 'To add it:',
      line: "whoami --url https://auth.example.com --region x --profile 'no such'",
      shows: /^aws configure --profile no such\n/,
    },
    {
      words: 'Sign in with:',
      line: 'whoami --url https://auth.example.com --region x --profile ops',
      shows: /^aws sso login --profile ops\n/,
    },
    {
      words: 'or run:',
      line: 'whoami --url https://auth.example.com --region x --profile unsigned',
      shows: /^aws configure sso-session\n/,
    },
  ],
  'cli/program.ts': [{ words: 'examples:', line: '--help', shows: /apps create \[options\] <app> \[name\]/ }],
  'cli/terminal/usage-error.ts': [
    { words: 'Help:', line: 'access set ada', shows: /access set \[options\] <user> <app> allowed\|blocked/ },
  ],
};

const known = createProgram(createContextProvider(createTerminal(process)));
const canShow = ({ needs }: Situation) => needs === undefined || hasCommand(known, needs);

describe.each(Object.entries(situations))('the hints of %s run as typed', (_, each) => {
  test.each(each.filter(canShow))('$words after $line', async ({ line, before, meanwhile, ...situation }) => {
    const { words, refused, forwarded = 0, shows } = situation;
    before?.();
    let seen = 0;
    proxy.isRefused = (request) => {
      meanwhile?.();
      return refused?.test(request) === true && seen++ >= forwarded;
    };
    const printed = await type(`${program} ${line}`, situation);
    proxy.isRefused = () => false;
    const hint = hintAfter(words, printed);
    const { code, stdout, stderr } = await type(hint, situation);
    expect([hint, code, stderr]).toEqual([hint, 0, expect.not.stringContaining('error:')]);
    expect(stdout).toMatch(shows);
  });
});

test('no other line of the program prints a command', () => {
  const files = globSync(['cli/**/*.ts', 'options/*/cli/*.ts'], { cwd: root }).filter(
    (file) => !builders.includes(file),
  );
  const printed = files.map((file) => [file, readFileSync(join(root, file), 'utf8').match(printing)?.length ?? 0]);
  const tried = Object.entries(situations).map(([file, { length }]) => [file, length]);
  const expected = { ...Object.fromEntries(tried), ...triedElsewhere };
  expect(Object.fromEntries(printed.filter(([, count]) => count !== 0))).toEqual(expected);
});

const builders = ['cli/terminal/command-line.ts', 'cli/service/command-context.ts'];
const printing = /(?<!function )\b(?:commandLine|again|helpToAdd)\(/g;
/** A rotation needs two roots: rotate-all.test.ts. */
const triedElsewhere = { 'cli/keys/rotate-all.ts': 1 };
