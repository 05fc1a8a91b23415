import type { Command } from 'commander';

/** The group of commands with this name, to which an option adds its own. */
export function commandGroup(program: Command, name: string): Command {
  return program.commands.find((command) => command.name() === name) ?? program.command(name);
}

/** Whether a program has the command of a command line; further words are its arguments. */
export function hasCommand(program: Command, [word, ...more]: readonly string[]): boolean {
  const found = program.commands.find((command) => command.name() === word);
  return found !== undefined && (found.commands.length === 0 || hasCommand(found, more));
}
