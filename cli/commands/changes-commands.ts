import { Argument, type Command } from 'commander';
import { applyChanges } from '../history/apply-changes.ts';
import { readChangesFile } from '../history/read-changes.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { examples } from '../terminal/arguments.ts';

/** Adds `changes`: archived changes, after a restore. */
export function addChanges(program: Command, { withContext }: ContextProvider): void {
  const changes = program.command('changes').description('apply archived changes again, after a restore');

  changes
    .command('apply')
    .description(
      'erase users, set statuses and access, and revoke roles and keys again that a restored table still has',
    )
    .addArgument(
      new Argument('<file>', 'changes or events with changes, as JSON or JSON Lines; - reads standard input'),
    )
    .option('--dry-run', 'show what would be applied, and change nothing')
    .addHelpText('after', examples('changes apply events.json --dry-run', 'changes apply events.json'))
    .action(
      withContext(async (context: CommandContext<{ dryRun?: boolean }>, file: string) =>
        applyChanges(context, await readChangesFile(file, context.terminal)),
      ),
    );
}
