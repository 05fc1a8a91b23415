import type { Command } from 'commander';
import { findService, type ServiceOptions } from './find-service.ts';
import { createManageClient, type ManageClient } from './manage-client.ts';
import type { Terminal } from './terminal.ts';

/** The options of every command. */
export interface GlobalOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly debug?: boolean;
}

/** What a command has to work with. */
export interface Work<Options = object> {
  readonly options: Options & GlobalOptions;
  readonly client: ManageClient;
  readonly terminal: Terminal;
  /** Shows an answer: to programs as it is, to people as lines. */
  show(answer: unknown, ...lines: readonly string[]): void;
}

/** What a command does, with its arguments in their order. */
export type Handler<Options, Args extends readonly unknown[]> = (work: Work<Options>, ...args: Args) => Promise<void>;

/** What the commands are made with. */
export interface Kit {
  readonly terminal: Terminal;
  /** Turns a handler into an action of commander. */
  perform<Options, Args extends readonly unknown[]>(
    handler: Handler<Options, Args>,
  ): (...received: unknown[]) => Promise<void>;
}

export function createKit(terminal: Terminal): Kit {
  return {
    terminal,
    perform<Options, Args extends readonly unknown[]>(handler: Handler<Options, Args>) {
      return async (...received: unknown[]) => {
        // Commander's arguments end with the command itself.
        const command = received.at(-1) as Command;
        const work = createWork<Options>(command.optsWithGlobals(), terminal);
        await handler(work, ...(command.processedArgs as unknown as Args));
      };
    },
  };
}

function createWork<Options>(options: Options & GlobalOptions, terminal: Terminal): Work<Options> {
  return {
    options,
    terminal,
    client: createManageClient({
      service: () => findService(options, terminal.env, terminal.cwd()),
      note: terminal.note,
      debug: options.debug === true ? terminal.note : undefined,
    }),
    show: (answer, ...lines) => terminal.print(...(options.json === true ? [JSON.stringify(answer, null, 2)] : lines)),
  };
}
