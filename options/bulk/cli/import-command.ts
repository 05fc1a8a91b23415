import type { Command } from 'commander';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { addReasonOptions, examples } from '#cli/terminal/arguments.ts';
import { commandGroup } from '#cli/terminal/command-group.ts';
import type { ImportOptions } from './import-report.ts';
import { importUsers } from './run-import.ts';

/** Adds `users import`: users of a file. */
export function addImport(program: Command, { withContext }: ContextProvider): void {
  addReasonOptions(commandGroup(program, 'users').command('import'))
    .alias('create-many')
    .description('create and change users from a file: names, statuses, accesses and roles with their ends')
    .argument('<file>', 'CSV or JSON Lines with a column userId; - is standard input')
    .option('--dry-run', 'check the file and show what would change, without changing anything')
    .option('--reactivate', 'allow the file to activate inactive users')
    .option('--unblock', 'allow the file to enable users who are blocked in an application')
    .option('--skip-rejected', 'import the other rows if some are rejected')
    .option('--rejected-file <file>', 'where to write the rejected rows; default: next to the file')
    .addHelpText('after', importGuide)
    .addHelpText('after', examples('users import people.csv --dry-run', 'users import people.csv'))
    .action(withContext((context: CommandContext<ImportOptions>, file: string) => importUsers(context, file)));
}

const importGuide = `
Columns: userId, displayName, email, status (active, inactive), application, access
(enabled, disabled), accessUntil, role, roleStatus (assigned, revoked), roleUntil.
Only the columns of the file change, and an empty cell changes nothing; "never" clears
an end. A user can have several rows, one for each role.

The service checks all rows before the first change. Unless all are accepted, nothing
changes; the rejected ones are written to <file>.rejected.csv, each with its problem.
Correct them there and import that file. Ctrl-C stops after the current requests; the
same command then resumes, within a day.`;
