import type { Command } from 'commander';
import type { ManagementClient } from '#client/management/management-client.ts';
import type { OverviewMember } from '#shared/contract/overview-member.ts';
import type { CliError } from '../terminal/cli-error.ts';
import { hasCommand } from '../terminal/command-group.ts';
import { commandLine, withOptions } from '../terminal/command-line.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { usageError } from '../terminal/usage-error.ts';
import { describeService, findService, type Service, type ServiceOptions } from './find-service.ts';
import { withUserIds } from './find-user.ts';
import { createManageClient } from './manage-client.ts';

/** The options of every command. */
export interface GlobalOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly debug?: boolean;
  readonly timeout?: number;
}

/** The context of a command handler. */
export interface CommandContext<Options = object> {
  readonly options: Options & GlobalOptions;
  readonly client: ManagementClient;
  readonly terminal: Terminal;
  /** The service that the client calls; throws if none is configured. */
  readonly service: () => Service;
  /** The error of a wrong command line that commander itself cannot find. */
  usageError(message: string): CliError;
  /** Prints on stderr which deployment is about to be changed, before an operation that cannot be undone. */
  announce(): void;
  /** Another command for the same service, as the user can type it: with the options of this one that choose it. */
  commandLine(...args: readonly string[]): string;
  /** Whether the program has the command that these words call: one of an option may not be there. */
  hasCommand(...args: readonly string[]): boolean;
  /** This command as the user can type it again, with these options instead of the typed ones of the same name. */
  again(options?: Readonly<Record<`--${string}`, string | undefined>>): string;
  /** Prints a result: as JSON with `--json`, otherwise the lines. */
  show(answer: unknown, ...lines: readonly string[]): void;
}

/** A command handler; its arguments are in the order of the command line. */
export type CommandHandler<Options, Args extends readonly unknown[]> = (
  context: CommandContext<Options>,
  ...args: Args
) => Promise<void>;

/** Gives command handlers their context. */
export interface ContextProvider {
  readonly terminal: Terminal;
  /** What options add to the numbers that the program prints. Default: nothing. */
  readonly overview?: readonly OverviewMember[];
  /** Turns a handler into an action of commander. */
  withContext<Options, Args extends readonly unknown[]>(
    handler: CommandHandler<Options, Args>,
  ): (...received: unknown[]) => Promise<void>;
}

/** Adds commands to the program. */
export interface AddCommands {
  (program: Command, provider: ContextProvider): void;
  /** What the commands are about, among the numbers that the program prints. Default: nothing. */
  readonly overview?: OverviewMember;
}

/** The provider for commands that use a terminal and call the service; `args` are the words of the command line. */
export function createContextProvider(terminal: Terminal, args: readonly string[] = []): ContextProvider {
  return {
    terminal,
    withContext<Options, Args extends readonly unknown[]>(handler: CommandHandler<Options, Args>) {
      return async (...received: unknown[]) => {
        // Commander passes the command itself as the last argument.
        const command = received.at(-1) as Command;
        const context = commandContext<Options>(command, terminal, args);
        const options = await withUserIds(context.options, context);
        const typed = await withUserIds(command.processedArgs as readonly unknown[] as Args, context);
        await handler({ ...context, options }, ...typed);
      };
    },
  };
}

function commandContext<Options>(
  command: Command,
  terminal: Terminal,
  args: readonly string[],
): CommandContext<Options> {
  const options = command.optsWithGlobals<Options & GlobalOptions>();
  let found: Service | undefined;
  const service = () => {
    found ??= findService(options, terminal);
    return found;
  };
  return {
    options,
    terminal,
    service,
    usageError: (message) => usageError(command, message),
    commandLine: (...words) => commandLine(terminal.program, [...words, ...serviceOptions(options, terminal)]),
    hasCommand: (...words) => hasCommand(programOf(command), words),
    again: (changes = {}) =>
      commandLine(terminal.program, withOptions(args, { ...pinnedService(options, terminal), ...changes })),
    announce: () => terminal.note(`Deployment: ${describeService(service())}`),
    client: createManageClient({
      service,
      note: terminal.note,
      debug: options.debug === true ? terminal.note : undefined,
      timeoutSeconds: options.timeout,
    }),
    show: (answer, ...lines) => terminal.print(...(options.json === true ? [JSON.stringify(answer, null, 2)] : lines)),
  };
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}

/** The given options that decide which service a command calls, and how; not those for its output. */
function serviceOptions(options: GlobalOptions, terminal: Terminal): string[] {
  const { deployment, url, region, profile, timeout } = options;
  const given = Object.entries({ deployment, url, region, profile, timeout });
  const named = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  return [...named, ...Object.entries(pinnedService(options, terminal)).flat()];
}

/** A service chosen by the environment, as an option: the variable may have been set for this one command only. */
function pinnedService({ url, deployment }: ServiceOptions, { env }: Terminal): Record<`--${string}`, string> {
  if (url !== undefined || deployment !== undefined) return {};
  if (env.AUTH_SERVICE_URL) return { '--url': env.AUTH_SERVICE_URL };
  return env.AUTH_SERVICE_DEPLOYMENT ? { '--deployment': env.AUTH_SERVICE_DEPLOYMENT } : {};
}
