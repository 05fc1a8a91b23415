import { globSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/source-files.ts';

/** A command that prints another one as a hint. */
export interface Situation {
  readonly words: string;
  readonly line: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly refused?: RegExp;
  /** Runs with each request. */
  readonly meanwhile?: () => void;
  /** Where the lines are typed. Default: the folder with the files. */
  readonly cwd?: string;
  /** The number of matching requests to forward before one is refused. Default: 0. */
  readonly forwarded?: number;
  readonly before?: () => void;
  /** The words of the command that is shown, if it is that of an option: without it, nothing is shown. Default: always there. */
  readonly needs?: readonly string[];
  /** What the hint prints when it runs. */
  readonly shows: RegExp;
}

/** The hints that the commands of an option print: `hints` in its `test/cli/<name>-hints.ts`. */
export interface OptionHints {
  /** The commands that create what the hints need. */
  readonly prepare: readonly string[];
  /** By the file that prints it. */
  readonly situations: Readonly<Record<string, readonly Situation[]>>;
}

const files = globSync('options/*/test/cli/*-hints.ts', { cwd: root }).sort();

/** Those of all options. */
export const optionHints: readonly OptionHints[] = await Promise.all(
  files.map(async (file) => (await import(join(root, file))).hints),
);
