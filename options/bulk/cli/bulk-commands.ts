import type { Command } from 'commander';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { eachPage, type PageQuery, pageQuery } from '#cli/service/show-pages.ts';
import { addReasonOptions, examples, parserOf, type ReasonOptions, reasonBody } from '#cli/terminal/arguments.ts';
import { CliError } from '#cli/terminal/cli-error.ts';
import { type Column, createTable } from '#cli/terminal/print-table.ts';
import type { ManagementClient } from '#client/management/management-client.ts';
import { appIdSchema, bulkIdSchema, maxPageSize } from '#shared/contract/fields.ts';
import { readAll } from '#shared/contract/read-all.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { UndoOutcome } from '../contract/bulk-undo.ts';
import { addImport } from './import-command.ts';

interface UndoOptions extends ReasonOptions {
  readonly app?: string;
  readonly dryRun?: boolean;
}

/** Adds `users import`, and `bulk`: undoing changes to many users. */
export function addBulk(program: Command, provider: ContextProvider): void {
  const { withContext } = provider;
  addImport(program, provider);
  const bulk = program.command('bulk').description('undo bulk changes');

  addReasonOptions(bulk.command('undo'))
    .description('undo a bulk change, except where the user or the access has changed since')
    .argument(
      '<bulk>',
      'id of the bulk change, printed by the command and shown in the history',
      parserOf(bulkIdSchema),
    )
    .option(
      '--app <app>',
      'only the accesses and roles of this application (default: of all applications, and the statuses of users)',
      parserOf(appIdSchema),
    )
    .option('--dry-run', 'show what would be undone, without changing anything')
    .addHelpText(
      'after',
      examples('bulk undo 01KB3ZC4N7Z3QF4V6E5T8S9R2W --dry-run', 'bulk undo 01KB3ZC4N7Z3QF4V6E5T8S9R2W --app billing'),
    )
    .action(withContext((context: CommandContext<UndoOptions>, bulkId: string) => undoBulk(context, bulkId)));
}

const columns: readonly Column<UndoOutcome>[] = [
  { title: 'NOT UNDONE', cell: ({ userId }) => userId },
  { title: 'CODE', cell: ({ problem }) => problem?.code ?? '-' },
  { title: 'DETAIL', isText: true, cell: ({ problem }) => problem?.detail ?? '-' },
];

async function undoBulk(
  { client, options, terminal, announce, show }: CommandContext<UndoOptions>,
  bulkId: string,
): Promise<void> {
  const { app, dryRun = false } = options;
  const body = { dryRun, ...reasonBody(options) };
  announce();
  const outcomes: UndoOutcome[] = [];
  for (const appId of app === undefined ? [undefined, ...(await readApplications(client))] : [app]) {
    const ask = (query: PageQuery) =>
      appId === undefined
        ? client.call('undo-status-bulk', { path: { bulkId }, query, body })
        : client.call('undo-bulk', { path: { appId, bulkId }, query, body });
    await eachPage(ask, (items, isLast) => {
      outcomes.push(...items);
      if (!isLast) terminal.note(`${countOf(outcomes.length, 'change')} …`);
    });
  }
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
  const undone = outcomes.filter(({ outcome }) => outcome === 'changed').length;
  const summary = `${dryRun ? 'Would undo' : 'Undid'} ${undone} of ${countOf(outcomes.length, 'change')}.`;
  show({ bulkId, undone, items: outcomes }, ...createTable(columns, terminal)(failed), summary);
  if (outcomes.length === 0) {
    throw new CliError('This bulk id matches no change.', {
      notes: app === undefined ? [] : ['Without --app, all applications and the statuses of users are searched.'],
    });
  }
}

/** The ids of all applications that the operator may see. */
async function readApplications(client: ManagementClient): Promise<string[]> {
  const found = await readAll((cursor) => client.call('list-applications', { query: pageQuery(maxPageSize, cursor) }));
  return found.map(({ appId }) => appId);
}
