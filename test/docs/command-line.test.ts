import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { alignTables } from '#shared/openapi/align-tables.ts';
import { commandReference } from '../../cli/build/command-reference.ts';
import { createProgram } from '../../cli/program.ts';
import { createContextProvider } from '../../cli/service/command-context.ts';
import { exitCodes } from '../../cli/terminal/cli-error.ts';
import { createTerminal } from '../../cli/terminal/terminal.ts';
import { openReader } from '../support/page-reader.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/operate/command-line.md'), 'utf8');

test('the commands of the page run unchanged', async () => {
  const reader = await openReader();
  try {
    const steps = await reader.walk('docs/operate/command-line.md', { "'<ManageUrl>'": 'http://127.0.0.1:3001' });
    const printed = steps.map((step) => step.printed).join('');
    expect(printed).toMatch(/^Commands now call prod, http:/m);
    expect(printed).toContain('label    Nightly report');
    const settings = readFileSync(join(reader.folder.path, '.local/config/config.json'), 'utf8');
    expect(settings).not.toContain('svs_');
  } finally {
    await reader.close();
  }
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
