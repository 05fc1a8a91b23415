import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';

/** The code of an option that processes run: `code` in its `test/simulation/<name>-code.ts`. */
export interface OptionCode {
  /** The function that each operation runs. */
  readonly runs: Readonly<Record<string, (input: never, context: OperatorContext) => Promise<object>>>;
  /** The action of the single Change that each operation makes if it changes something. */
  readonly actions: Readonly<Record<string, ChangeAction>>;
  /** The operation for one user of each operation for several. Default: there is none. */
  readonly singles?: Readonly<Record<string, string>>;
  /** The operations whose answers are checked like those of the core. Default: none, because the option has checks of its own. */
  readonly checked?: readonly string[];
  /** What its clients run, by name. Default: nothing. */
  readonly clients?: Readonly<Record<string, unknown>>;
  /** Its other functions, by their names, as Lambda invokes them. */
  readonly functions: Readonly<Record<string, (event: never, context: never) => Promise<unknown>>>;
  /** What answers requests that its actor sends, by the name of the endpoint. Default: none. */
  readonly receivers?: Readonly<Record<string, (request: never) => Promise<object>>>;
  /** Prepares a process for what only some runs need. Default: nothing. */
  readonly loads?: Readonly<Record<string, () => Promise<void>>>;
}

const root = join(import.meta.dirname, '../..');

/** The files of all options, each to be imported once in each process. */
export const optionCodeFiles = globSync('options/*/test/simulation/*-code.ts', { cwd: root })
  .sort()
  .map((file) => pathToFileURL(join(root, file)).href);
