import type { Command } from 'commander';
import type { UndoOutcome } from '#shared/contract/bulk-undo.ts';
import { appIdSchema, bulkIdSchema, maxPageSize } from '#shared/contract/fields.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { pageQuery } from '../service/show-pages.ts';
import { examples, parserOf } from '../terminal/arguments.ts';
import { CliError } from '../terminal/cli-error.ts';
import { type Column, createTable } from '../terminal/print-table.ts';

interface UndoOptions {
  readonly app?: string;
  readonly dryRun?: boolean;
}

/** Adds `bulk`: what was changed for many users at once. */
export function addBulk(program: Command, { withContext }: ContextProvider): void {
  const bulk = program.command('bulk').description('undo bulk changes');

  bulk
    .command('undo')
    .description('undo a bulk change, except where somebody has changed the user or the access since')
    .argument(
      '<bulk>',
      'id of the bulk change, printed by the command and shown in the history',
      parserOf(bulkIdSchema),
    )
    .option(
      '--app <app>',
      'application of a bulk change of access or roles; omit it for one of user statuses',
      parserOf(appIdSchema),
    )
    .option('--dry-run', 'show what would be undone, without changing anything')
    .addHelpText(
      'after',
      examples('bulk undo 01KB3ZC4N7Z3QF4V6E5T8S9R2W --app billing', 'bulk undo 01KB3ZC4N7Z3QF4V6E5T8S9R2W --dry-run'),
    )
    .action(withContext((context: CommandContext<UndoOptions>, bulkId: string) => undoBulk(context, bulkId)));
}

const columns: readonly Column<UndoOutcome>[] = [
  { title: 'STAYS', cell: ({ userId }) => userId },
  { title: 'CODE', cell: ({ problem }) => problem?.code ?? '-' },
  { title: 'DETAIL', cell: ({ problem }) => problem?.detail ?? '-' },
];

async function undoBulk(
  { client, options, terminal, announce, show }: CommandContext<UndoOptions>,
  bulkId: string,
): Promise<void> {
  const { app: appId, dryRun = false } = options;
  announce();
  const outcomes: UndoOutcome[] = [];
  let cursor: string | undefined;
  do {
    const query = pageQuery(maxPageSize, cursor);
    const page =
      appId === undefined
        ? await client.call('undo-status-bulk', { path: { bulkId }, query, body: { dryRun } })
        : await client.call('undo-bulk', { path: { appId, bulkId }, query, body: { dryRun } });
    outcomes.push(...page.items);
    cursor = page.cursor ?? undefined;
    if (cursor !== undefined) terminal.note(`${outcomes.length} changes …`);
  } while (cursor !== undefined);
  const staying = outcomes.filter(({ outcome }) => outcome === 'failed');
  const undone = outcomes.filter(({ outcome }) => outcome === 'changed').length;
  const said = `${dryRun ? 'Would undo' : 'Undid'} ${undone} of ${outcomes.length} changes.`;
  show({ bulkId, undone, items: outcomes }, ...createTable(columns, terminal)(staying), said);
  if (outcomes.length === 0) {
    throw new CliError('No change of this bulk was found.', {
      notes: [
        appId === undefined
          ? 'Name the application with --app, unless it was of the status of users.'
          : 'Is it of this application?',
      ],
    });
  }
}
