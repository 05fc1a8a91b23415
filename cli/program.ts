import { Command, CommanderError } from 'commander';
import { CliError, exitCodes } from './cli-error.ts';
import { type ContextProvider, createContextProvider } from './command-context.ts';
import { addAccess } from './commands/access-commands.ts';
import { addApps } from './commands/app-commands.ts';
import { addCompletion } from './commands/completion-command.ts';
import { addDoctor } from './commands/doctor-command.ts';
import { addGrants } from './commands/grant-commands.ts';
import { addHistory } from './commands/history-commands.ts';
import { addKeys } from './commands/key-commands.ts';
import { addRoles } from './commands/role-commands.ts';
import { addUsers } from './commands/user-commands.ts';
import { addWhoami } from './commands/whoami-command.ts';
import { createTerminal, type ProcessIo, printable, type Terminal } from './terminal.ts';

/** Runs one command line; returns the exit code and never throws. */
export async function runCommandLine(args: readonly string[], io: ProcessIo): Promise<number> {
  const terminal = createTerminal(io);
  const program = createProgram(createContextProvider(terminal));
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, terminal, program.opts().debug === true);
  }
}

/** The program with all its commands. */
export function createProgram(provider: ContextProvider): Command {
  const { terminal } = provider;
  const program = new Command('auth-service')
    .description('Manages users, applications, API keys, roles and access.')
    .option('--url <url>', 'function URL of the Management API (default: AUTH_SERVICE_URL, else the local run)')
    .option('--region <region>', "AWS region (default: the function URL's, else AWS_REGION)")
    .option('--profile <name>', 'AWS profile for the credentials (default: the AWS default chain)')
    .option('--json', 'print the answer of the service as JSON')
    .option('--debug', 'log each request, and print the stack trace of an error')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
    })
    .exitOverride()
    .addHelpText('after', guide);
  for (const add of [
    addApps,
    addKeys,
    addRoles,
    addUsers,
    addAccess,
    addGrants,
    addHistory,
    addWhoami,
    addDoctor,
    addCompletion,
  ]) {
    add(program, provider);
  }
  return program;
}

const guide = `
In a clone of the project, run "npm run -s manage -- <command>" for auth-service.
Arguments come in the order user, application, role. "<command> --help" shows
examples.

The service is the one that --url or AUTH_SERVICE_URL names, called with your AWS
credentials. Without them it is the one that "npm start" runs, found by
.local/example.json in the current folder.

Temporary failures are retried. Each change carries an Idempotency-Key, so it
takes effect once, however often it is sent; a new command is a new change.

Exit codes:
    0  success
    1  refused by the service, or part of the work failed
    2  wrong command line or settings; nothing was sent
    3  no answer or a temporary failure (429, 503): try again later
    4  not found
  130  interrupted

From nothing to an API key:
  $ auth-service apps create billing "Billing"
  $ auth-service roles define billing editor
  $ auth-service users create ada --name "Ada Lovelace"
  $ auth-service grants assign ada billing editor
  $ auth-service keys issue billing`;

/** Prints what went wrong on stderr and returns the exit code. */
function reportError(error: unknown, terminal: Terminal, debug: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.notSent;
  const { message, notes, exitCode } = error instanceof CliError ? error : unexpected(error);
  terminal.note(`error: ${printable(message)}`, ...notes.map((line) => `  ${printable(line)}`));
  if (debug && error instanceof Error) terminal.note(String(error.stack), ...causes(error));
  return exitCode;
}

function unexpected(error: unknown): CliError {
  const message = error instanceof Error ? error.message : String(error);
  return new CliError(message, { notes: ['Run it again with --debug for the stack trace.'] });
}

function causes({ cause }: Error): string[] {
  return cause instanceof Error ? [`caused by ${cause.stack}`, ...causes(cause)] : [];
}
