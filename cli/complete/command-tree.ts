import type { Command } from 'commander';

/** A word that can stand at some place of a command line. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** What can follow one command. */
export interface CommandNode {
  /** The words that lead here, such as `apps create`; empty at the top. */
  readonly path: string;
  readonly subcommands: readonly Candidate[];
  /** Values of arguments that have only a few. */
  readonly values: readonly Candidate[];
  readonly options: readonly OptionNode[];
}

export interface OptionNode extends Candidate {
  readonly takesValue: boolean;
  /** Empty when anything will do. */
  readonly choices: readonly string[];
}

/** Every command with what can follow it, the program itself first. */
export function commandTree(program: Command): readonly CommandNode[] {
  return nodes(program, '');
}

function nodes(command: Command, path: string): CommandNode[] {
  const { commands, registeredArguments } = command;
  const here = {
    path,
    subcommands: commands.map((child) => ({ word: child.name(), description: child.description() })),
    values: registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((word) => ({ word, description: '' }))),
    options: optionsOf(command),
  };
  return [here, ...commands.flatMap((child) => nodes(child, `${path} ${child.name()}`.trim()))];
}

/** The command's own and those of all commands above it. */
function optionsOf(command: Command): OptionNode[] {
  const help = { word: '--help', description: 'show the help', takesValue: false, choices: [] };
  const own = command.options.map(({ long, description, argChoices = [], required }) => ({
    word: long ?? '',
    description,
    takesValue: required,
    choices: argChoices,
  }));
  const above = command.parent === null ? [help] : optionsOf(command.parent);
  return [...own, ...above];
}
