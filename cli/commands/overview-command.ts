import type { Command } from 'commander';
import type { OverviewView } from '#shared/contract/overview.ts';
import type { ContextProvider } from '../service/command-context.ts';
import { examples } from '../terminal/arguments.ts';
import { createTable, recordLines } from '../terminal/print-table.ts';

/** Adds `overview`: the numbers of the dashboard's first page. */
export function addOverview(program: Command, { withContext }: ContextProvider): void {
  program
    .command('overview')
    .description('show how many users, blocks, keys and changes there are')
    .addHelpText('after', examples('overview', 'overview --json'))
    .action(
      withContext(async ({ client, show, terminal }) => {
        const overview = await client.call('get-overview', {});
        const applications = createTable<OverviewView['applications'][number]>(
          [
            { title: 'APPLICATION', cell: ({ appId }) => appId },
            { title: 'NAME', cell: ({ name }) => name },
            { title: 'BLOCKED', cell: ({ blocked }) => String(blocked) },
          ],
          terminal,
        );
        const days = createTable<OverviewView['days'][number]>(
          [
            { title: 'DAY (UTC)', cell: ({ date }) => date },
            { title: 'CHANGES', cell: ({ changes }) => String(changes) },
            { title: 'BLOCKS', cell: ({ blocks }) => String(blocks) },
            { title: 'UNBLOCKS', cell: ({ unblocks }) => String(unblocks) },
          ],
          terminal,
        );
        show(overview, ...numbers(overview), ...applications(overview.applications), ...days(overview.days));
      }),
    );
}

function numbers({ users, blocksEndingThisWeek, keys, tokens, reviewsOverdue, ...more }: OverviewView): string[] {
  return recordLines([
    ['users', `${users.active} active, ${users.inactive} inactive`],
    ['blocks that end within 7 days', countText(blocksEndingThisWeek)],
    ['keys that expire within 30 days', countText(keys.expiring)],
    ['keys unused for 30 days', countText(keys.unused)],
    ['tokens that expire within 30 days', countText(tokens.expiring)],
    ['tokens unused for 30 days', countText(tokens.unused)],
    ['overdue access reviews', String(reviewsOverdue)],
    ...more.webhooksStopped.map(
      ({ appId, webhookId }) => ['webhook that has stopped', `${webhookId} of ${appId}`] as const,
    ),
    ['as of', more.asOf ?? 'nothing was counted yet'],
  ]);
}

function countText({ count, more }: OverviewView['blocksEndingThisWeek']): string {
  return more ? `at least ${count}` : String(count);
}
