import type { Command } from 'commander';

/** A word that the shell can offer. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** The words that can follow a command. */
export interface CommandNode {
  /** The words of the command, such as `apps create`; empty for the program itself. */
  readonly path: string;
  readonly subcommands: readonly Candidate[];
  /** The values of arguments with a fixed set of values. */
  readonly values: readonly Candidate[];
  /** The command that prints further values of arguments, a line each, at completion time. */
  readonly valuesFrom: string | undefined;
  readonly options: readonly OptionNode[];
}

export interface OptionNode extends Candidate {
  readonly takesValue: boolean;
  /** Empty if any value is allowed. */
  readonly choices: readonly string[];
  /** The command that prints the values, a line each. */
  readonly valuesFrom: string | undefined;
}

/** The names of deployments change, so they are asked for when they are completed. */
const deploymentNames = 'auth-service deployments list --names 2>/dev/null';

/** Every command with the words that can follow it, the program itself first. */
export function commandTree(program: Command): readonly CommandNode[] {
  return nodes(program, '');
}

function nodes(command: Command, path: string): CommandNode[] {
  const { commands, registeredArguments } = command;
  const here = {
    path,
    subcommands: commands.map((child) => ({ word: child.name(), description: child.description() })),
    values: registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((word) => ({ word, description: '' }))),
    valuesFrom: registeredArguments.some((one) => one.name() === 'deployment') ? deploymentNames : undefined,
    options: optionsOf(command),
  };
  return [here, ...commands.flatMap((child) => nodes(child, `${path} ${child.name()}`.trim()))];
}

/** The options of the command and of its parents. */
function optionsOf(command: Command): OptionNode[] {
  const help = { word: '--help', description: 'show help', takesValue: false, choices: [], valuesFrom: undefined };
  const own = command.options.map(({ long, description, argChoices = [], required }) => ({
    word: long ?? '',
    description,
    takesValue: required,
    choices: argChoices,
    valuesFrom: long === '--deployment' ? deploymentNames : undefined,
  }));
  const above = command.parent === null ? [help] : optionsOf(command.parent);
  return [...own, ...above];
}
