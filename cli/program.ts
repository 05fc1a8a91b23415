import { Command, CommanderError } from 'commander';
import * as options from '#options/commands.ts';
import { addAccess } from './commands/access-commands.ts';
import { addApps } from './commands/app-commands.ts';
import { addChanges } from './commands/changes-commands.ts';
import { addCompletion } from './commands/completion-command.ts';
import { addDeployments } from './commands/deployment-commands.ts';
import { addGrants } from './commands/grant-commands.ts';
import { addHelp } from './commands/help-command.ts';
import { addHistory } from './commands/history-commands.ts';
import { addKeys } from './commands/key-commands.ts';
import { addRoles } from './commands/role-commands.ts';
import { addUsers } from './commands/user-commands.ts';
import { addWhoami } from './commands/whoami-command.ts';
import manifest from './package/package.json' with { type: 'json' };
import { type AddCommands, type ContextProvider, createContextProvider } from './service/command-context.ts';
import { timeoutOption } from './terminal/arguments.ts';
import { CliError, errorAsJson, exitCodes, notSent } from './terminal/cli-error.ts';
import { commandLine } from './terminal/command-line.ts';
import { createTerminal, type ProcessIo, printable, type Terminal } from './terminal/terminal.ts';
import { explainUsage } from './terminal/usage-error.ts';

/** Runs one command line; returns the exit code and never throws. */
export async function runCommandLine(args: readonly string[], io: ProcessIo): Promise<number> {
  const terminal = createTerminal(io);
  const program = createProgram(createContextProvider(terminal, args));
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { debug = false } = program.opts();
    return reportError(error, terminal, { debug, json: wantsJson(args) });
  }
}

/** The program with all its commands. */
export function createProgram(provider: ContextProvider): Command {
  const { terminal } = provider;
  const program = new Command(terminal.program)
    .description('Manages users, applications, API keys, roles and access.')
    .version(manifest.version, '--version', 'print the version')
    .option('--deployment <name>', 'deployment to call, by its name in "deployments list"')
    .option('--url <url>', 'function URL of the Management API, instead of a deployment')
    .option('--region <region>', "AWS region (default: the function URL's, else AWS_REGION)")
    .option('--profile <name>', 'AWS profile for the credentials (default: the AWS default chain)')
    .addOption(timeoutOption())
    .option('--json', "print the service's response as JSON")
    .option('--debug', 'log each request, and print the stack trace of an error')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // reportError prints it, as it does any other error.
      outputError: () => undefined,
    })
    .addHelpText('after', guideOf(terminal.program));
  const adding: readonly AddCommands[] = [
    addApps,
    addKeys,
    addRoles,
    addUsers,
    addAccess,
    addGrants,
    addHistory,
    addChanges,
    addWhoami,
    addDeployments,
    addCompletion,
    ...Object.values<AddCommands>(options),
  ];
  const overview = adding.flatMap((add) => add.overview ?? []);
  for (const add of adding) add(program, { ...provider, overview });
  addHelp(program);
  explainUsage(program);
  return program;
}

const guideOf = (program: string) => `
Arguments are in the order user, application, role. The help of each command has
examples: ${commandLine(program, ['help', 'apps', 'create'])}

The first of these that is set chooses the service, and "whoami" shows which:
--url or --deployment, AUTH_SERVICE_URL, AUTH_SERVICE_DEPLOYMENT, "use".
Requests are signed with your AWS credentials. The default is the local
run of "npm start", found through .local/example.json in the current folder,
or in the folder of AUTH_SERVICE_LOCAL.

Temporary failures are retried. Each change carries an Idempotency-Key, so its
retries take effect only once. A new command is a new change.

With --json, an error is one line of JSON on stderr: code, title, detail and
requestId of the service's problem document, notes, and exitCode.

Exit codes:
    0  success
    1  refused by the service, or part of the work failed
    2  wrong command line or settings; nothing was sent
    3  no answer or a temporary failure (429, 503): try again later
    4  not found
  130  interrupted

From nothing to an API key:
  $ ${program} apps create billing "Billing"
  $ ${program} roles define billing editor
  $ ${program} users create ada --name "Ada Lovelace"
  $ ${program} grants assign ada billing editor
  $ ${program} keys issue billing`;

/** Prints what went wrong on stderr and returns the exit code. */
function reportError(error: unknown, terminal: Terminal, { debug, json }: ReportOptions): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // The help, which says what is missing, is printed already.
  if (error instanceof CommanderError && !json) return exitCodes.notSent;
  const failure = asCliError(error);
  const { message, notes, exitCode } = failure;
  if (json) terminal.note(JSON.stringify(errorAsJson(failure)));
  else terminal.note(`error: ${printable(message)}`, ...notes.map((line) => `  ${printable(line)}`));
  if (debug && error instanceof Error) terminal.note(String(error.stack), ...causes(error));
  return exitCode;
}

interface ReportOptions {
  readonly debug: boolean;
  readonly json: boolean;
}

/** Whether `--json` is given, even in a command line that cannot be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--json');
}

function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) return notSent('The command is incomplete.');
  const message = error instanceof Error ? error.message : String(error);
  const again = 'Run it again with --debug for the stack trace.';
  if (!isMistake(error)) return new CliError(message, { notes: [again] });
  return new CliError('This program has a mistake, or got an answer that it does not know.', {
    notes: [again, `To report it, add: ${message}`],
  });
}

/** Errors whose messages are about code, and tell nobody what to do. */
function isMistake(error: unknown): boolean {
  return [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind);
}

function causes({ cause }: Error): string[] {
  return cause instanceof Error ? [`caused by ${cause.stack}`, ...causes(cause)] : [];
}
