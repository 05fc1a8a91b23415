import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Command, type CommanderError } from 'commander';
import * as options from '#options/commands.ts';
import { createProgram } from '../../cli/program.ts';
import type { AddCommands } from '../../cli/service/command-context.ts';
import { createTerminal } from '../../cli/terminal/terminal.ts';

/** What commands need, with handlers that only note that they were reached. */
function idleProvider() {
  const stdout = new PassThrough();
  const stdin = new PassThrough();
  const called = { argv: ['node', '/usr/bin/auth-service'], execArgv: [], env: {}, cwd: () => '/' };
  const terminal = createTerminal({ stdin, stdout, stderr: new PassThrough(), ...called });
  const reached: string[] = [];
  const withContext =
    () =>
    async (...received: unknown[]) =>
      void reached.push(pathOf(received.at(-1) as Command));
  return { provider: { terminal, withContext }, stdout, reached };
}

function idleProgram() {
  const { provider, ...observed } = idleProvider();
  return { program: createProgram(provider), ...observed };
}

function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

async function helpOf(path: string): Promise<string> {
  const { program, stdout } = idleProgram();
  await program.parseAsync([...path.split(' '), '--help'], { from: 'user' }).catch(() => stdout.end());
  return text(stdout);
}

/** The words of a shell command line, without pipes and redirections. */
function words(line: string): string[] {
  const [, own = ''] = /auth-service ([^|<>]*)/.exec(line) ?? [];
  return [...own.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** The commands that the options add, which their own tests call. */
const ofOptions = Object.values<AddCommands>(options).flatMap((add) => leaves(addedTo(add)).map(pathOf));

function addedTo(add: AddCommands): Command {
  const program = new Command('alone');
  add(program, idleProvider().provider);
  return program;
}

test('has exactly these commands beside those of the options', () => {
  const own = leaves(idleProgram().program).map(pathOf);
  expect(own.filter((path) => !ofOptions.includes(path))).toEqual(
    `apps create,apps create-many,apps list,apps show,apps rename,apps update,apps rollout,apps undo,apps delete,keys issue,keys list,keys label,keys rotate,keys rotate-all,keys revoke,roles define,
     roles list,roles show,roles members,roles delete,users create,users list,users find,users show,users update,users set-status,users export,
     users delete,access show,access list,access set,grants assign,grants revoke,history user,history undo,history app,changes apply,whoami,use,deployments list,deployments add,deployments remove,completion,complete,help`.split(
      /,\s*/,
    ),
  );
});

test.each(leaves(idleProgram().program).map(pathOf))('each example in the help of "%s" is valid', async (path) => {
  const help = await helpOf(path);
  const examples = help
    .slice(help.indexOf('Examples:'))
    .split('\n')
    .slice(1)
    .filter((line) => line.includes('$'));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples.flatMap((line) => line.split(' | ')).filter((line) => line.includes('auth-service'))) {
    const { program, reached } = idleProgram();
    const isHelp = (error: unknown) => (error as CommanderError).exitCode === 0 || Promise.reject(error);
    await program.parseAsync(words(example.replaceAll('01JD…', '01JD')), { from: 'user' }).catch(isHelp);
    expect(['users list', path]).toContain(path === 'help' ? 'help' : reached[0]);
  }
});

test('the help explains the exit codes and how the service is found', async () => {
  const { program, stdout } = idleProgram();
  await program.parseAsync(['--help'], { from: 'user' }).catch(() => stdout.end());
  expect(await text(stdout)).toMatch(/AUTH_SERVICE_URL, AUTH_SERVICE_DEPLOYMENT.*Exit codes:\n +0 {2}success/s);
});
