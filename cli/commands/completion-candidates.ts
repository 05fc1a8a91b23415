import type { Command, Option } from 'commander';

/** A word that the shell can offer. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/**
 * What can follow the words of a command line, whatever the last one begins with; the shell keeps what fits. None where the
 * value of an option can be anything, such as a file.
 */
export function candidatesAfter(
  program: Command,
  words: readonly string[],
  deploymentNames: () => readonly string[],
): Candidate[] {
  const { command, open } = readWords(program, words);
  const values = (choices: readonly string[] = [], isDeployment = false) =>
    [...choices, ...(isDeployment ? deploymentNames() : [])].map((word) => ({ word, description: '' }));
  if (open !== undefined) return values(open.argChoices, open.long === '--deployment');
  const help = command.createHelp();
  return [
    ...help.visibleCommands(command).map((child) => ({ word: child.name(), description: child.description() })),
    ...command.registeredArguments.flatMap((one) => values(one.argChoices, one.name() === 'deployment')),
    ...optionsOf(command).map(({ long, description }) => ({ word: long ?? '', description })),
  ];
}

/** The command that the words name, and the option among them that lacks its value, if one does. */
function readWords(program: Command, words: readonly string[]) {
  let command = program;
  let open: Option | undefined;
  for (const word of words) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    open = optionsOf(command).find(({ long, required }) => required && long === word);
    command = command.commands.find((child) => child.name() === word) ?? command;
  }
  return { command, open };
}

/** The options of the command and of those above it. */
function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}
