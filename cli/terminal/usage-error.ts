import { Command, CommanderError } from 'commander';
import { type CliError, notSent } from './cli-error.ts';
import { commandLine } from './command-line.ts';
import { commandsMeant } from './near-commands.ts';

/** Turns the errors of a command and of those below it into errors that name the command whose help explains them. */
export function explainUsage(command: Command): void {
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const word = error.code === 'commander.unknownCommand' ? command.args[0] : undefined;
    throw word === undefined ? usageError(command, messageOf(error)) : unknownCommand(command, word);
  });
  for (const child of command.commands) explainUsage(child);
}

/** The error for a word that names no command of a group, with the commands whose names are near or mean the same. */
export function unknownCommand(group: Command, word: string): CliError {
  const meant = commandsMeant(group, word);
  const suggestion = meant.length === 0 ? nearName(group, word) : `(Did you mean ${meant.join(' or ')}?)`;
  return usageError(group, [`unknown command '${word}'`, ...(suggestion === undefined ? [] : [suggestion])].join('\n'));
}

/** What Commander suggests, which it does only in a group without an action. */
function nearName(group: Command, word: string): string | undefined {
  const silent = { writeErr: () => undefined, outputError: () => undefined };
  const names = new Command(group.name()).exitOverride().configureOutput(silent);
  for (const child of group.createHelp().visibleCommands(group)) names.command(child.name());
  try {
    names.parse([word], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return messageOf(error).split('\n')[1];
  }
  return undefined;
}

/** The error for a wrong command line, with the command that shows the help. */
export function usageError(command: Command, message: string): CliError {
  const [program = '', ...words] = pathOf(command);
  const [first = '', ...suggestion] = message.split('\n');
  return notSent(first, [...suggestion, `Help: ${commandLine(program, [...words, '--help'])}`]);
}

function messageOf({ message }: CommanderError): string {
  return message.replace(/^error: /, '');
}

/** The whole program of a command. */
export function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}

/** The name of the program, then the words that call the command. */
function pathOf(command: Command): string[] {
  return [...(command.parent === null ? [] : pathOf(command.parent)), command.name()];
}
