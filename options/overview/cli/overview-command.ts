import type { Command } from 'commander';
import type { ContextProvider } from '#cli/service/command-context.ts';
import { examples } from '#cli/terminal/arguments.ts';
import { createTable, recordLines } from '#cli/terminal/print-table.ts';
import { limitedCountText, type OverviewMember } from '#shared/contract/overview-member.ts';
import type { OverviewView } from '../contract/overview.ts';

/** Adds `overview`: the numbers of the dashboard's first page. */
export function addOverview(program: Command, { withContext, overview: members = [] }: ContextProvider): void {
  program
    .command('overview')
    .description('show how many users, blocks, keys and changes there are')
    .addHelpText('after', examples('overview', 'overview --json'))
    .action(
      withContext(async ({ client, show, terminal }) => {
        const overview = await client.call('get-overview', { query: {} });
        const applications = createTable<OverviewView['applications'][number]>(
          [
            { title: 'APPLICATION', cell: ({ appId }) => appId },
            { title: 'NAME', isText: true, cell: ({ name }) => name },
            { title: 'BLOCKED', cell: ({ blocked }) => String(blocked) },
          ],
          terminal,
        );
        const rollouts = createTable<OverviewView['rollouts'][number]>(
          [
            { title: 'APPLICATION', cell: ({ appId }) => appId },
            { title: 'NAME', isText: true, cell: ({ name }) => name },
            { title: 'ROLLOUT', cell: ({ rolloutPercent }) => `${rolloutPercent} %` },
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
        const tables = [
          ...applications(overview.applications),
          ...(overview.rollouts.length === 0 ? [] : rollouts(overview.rollouts)),
          ...days(overview.days),
        ];
        show(overview, ...numbers(overview, members), ...tables);
      }),
    );
}

function numbers(
  { users, blocksEndingThisWeek, keys, ...more }: OverviewView,
  members: readonly OverviewMember[],
): string[] {
  return recordLines([
    ['users', `${users.active} active, ${users.inactive} inactive`],
    ['blocks that end within 7 days', limitedCountText(blocksEndingThisWeek)],
    ['keys that expire within 30 days', limitedCountText(keys.expiring)],
    ['keys unused for 30 days', limitedCountText(keys.unused)],
    ...ofOptions(more, members),
    ['as of', more.asOf ?? 'nothing was counted yet'],
  ]);
}

/** What options add, unless an older deployment does not send it. */
function ofOptions(overview: object, members: readonly OverviewMember[]) {
  const values: Readonly<Record<string, unknown>> = { ...overview };
  return members.flatMap(({ name, lines }) => (values[name] === undefined ? [] : lines(values[name])));
}
