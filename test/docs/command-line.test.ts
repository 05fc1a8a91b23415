import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { alignTables } from '#shared/openapi/align-tables.ts';
import { commandReference } from '../../cli/build/command-reference.ts';
import { createProgram } from '../../cli/program.ts';
import { createContextProvider } from '../../cli/service/command-context.ts';
import { exitCodes } from '../../cli/terminal/cli-error.ts';
import { createTerminal } from '../../cli/terminal/terminal.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { bareEnvironment } from '../support/environments.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/operate/command-line.md'), 'utf8');
const commands = [...page.matchAll(/^```bash\n(.*?)^```/gms)].map(([, text = '']) => text);

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startSources();
  folder = mkdtempSync(join(tmpdir(), 'auth-service-command-line-'));
  mkdirSync(join(folder, '.local'));
  const { manageUrl, accessKey } = service;
  const example = { manageUrl, region: localAccess.region, ...accessKey };
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify(example), { mode: 0o600 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

test('the commands of the page run unchanged', async () => {
  const cli = `'${process.execPath}' --disable-warning=ExperimentalWarning '${join(root, 'cli/main.ts')}'`;
  const script = [`auth-service() { ${cli} "$@"; }`, ...commands].join('\n');
  const env = { ...bareEnvironment, HOME: folder, MANAGE_URL: service.manageUrl, AUTH_SERVICE_TIMEOUT: '600' };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
  expect(stdout).toContain(`Commands now call prod, ${service.manageUrl}.`);
  expect(stdout).toContain('label    Nightly report');
  expect(readFileSync(join(folder, '.config/auth-service/config.json'), 'utf8')).not.toContain('svs_');
});

test('the page lists every exit code', () => {
  const listed = [...page.matchAll(/^\| +(\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual([0, ...Object.values(exitCodes)]);
});

test('the command reference is what npm run build:docs generates from the commands', () => {
  const reference = readFileSync(join(root, 'docs/operate/commands.md'), 'utf8');
  expect(reference).toBe(alignTables(commandReference()));
});

test.each(everyCommand())(
  'the command reference has %s with its arguments, its options and an example',
  (path, command) => {
    const reference = readFileSync(join(root, 'docs/operate/commands.md'), 'utf8');
    const [, section] = new RegExp(`^#+ ${path}$(.*?)(?=^#|(?![\\s\\S]))`, 'ms').exec(reference) ?? [];
    const terms = command.options.map(({ flags }) => flags);
    const names = command.registeredArguments.map((argument) => argument.name());
    for (const term of [...terms, ...names]) expect([path, section]).toEqual([path, expect.stringContaining(term)]);
    if (command.commands.length === 0) expect(section).toContain(`$ auth-service `);
  },
);

/** Every command and group that the help shows, by the words that call it. */
function everyCommand(): [string, Command][] {
  const program = createProgram(createContextProvider(createTerminal(process)));
  const walk = (group: Command, words: readonly string[]): [string, Command][] =>
    group
      .createHelp()
      .visibleCommands(group)
      .filter((command) => command.name() !== 'help')
      .flatMap((command) => {
        const path = [...words, command.name()];
        return [[path.join(' '), command] as [string, Command], ...walk(command, path)];
      });
  return walk(program, []);
}

test('the command reference lists the options of a command that has commands of its own', () => {
  const [, history = ''] = /^## history$(.*?)^### /ms.exec(commandReference()) ?? [];
  expect(history).toContain('| `--export <file>` |');
  expect(history).toContain('$ auth-service history --since yesterday');
});
