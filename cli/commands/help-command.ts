import type { Command } from 'commander';
import { examples } from '../terminal/arguments.ts';
import { unknownCommand } from '../terminal/usage-error.ts';

/** Adds `help`: the help of the command that the words name. Commander's own reads only the first word. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('display the help of a command')
    .argument('[command...]', 'the words of the command')
    .addHelpText('after', examples('help apps create', 'help history'))
    .action((words: readonly string[]) => findCommand(program, words).help());
}

function findCommand(group: Command, [word, ...more]: readonly string[]): Command {
  if (word === undefined) return group;
  const found = group.commands.find((command) => command.name() === word);
  if (found === undefined) throw unknownCommand(group, word);
  return findCommand(found, more);
}
