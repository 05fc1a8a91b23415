import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { describeService, findService, type Service, type ServiceOptions } from './find-service.ts';
import { createManageClient, type ManageClient } from './manage-client.ts';

/** The options of every command. */
export interface GlobalOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly debug?: boolean;
  readonly timeout?: number;
}

/** The context of a command handler. */
export interface CommandContext<Options = object> {
  readonly options: Options & GlobalOptions;
  readonly client: ManageClient;
  readonly terminal: Terminal;
  /** The service that the client calls; throws if none is configured. */
  readonly service: () => Service;
  /** Prints on stderr which deployment is about to be changed, before an operation that cannot be undone. */
  announce(): void;
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
  /** Turns a handler into an action of commander. */
  withContext<Options, Args extends readonly unknown[]>(
    handler: CommandHandler<Options, Args>,
  ): (...received: unknown[]) => Promise<void>;
}

/** The provider for commands that use a terminal and call the service. */
export function createContextProvider(terminal: Terminal): ContextProvider {
  return {
    terminal,
    withContext<Options, Args extends readonly unknown[]>(handler: CommandHandler<Options, Args>) {
      return async (...received: unknown[]) => {
        // Commander passes the command itself as the last argument.
        const command = received.at(-1) as Command;
        const context = commandContext<Options>(command.optsWithGlobals(), terminal);
        await handler(context, ...(command.processedArgs as readonly unknown[] as Args));
      };
    },
  };
}

function commandContext<Options>(options: Options & GlobalOptions, terminal: Terminal): CommandContext<Options> {
  let found: Service | undefined;
  const service = () => {
    found ??= findService(options, terminal.env, terminal.cwd());
    return found;
  };
  return {
    options,
    terminal,
    service,
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
