import { type Command, Option } from 'commander';
import { appArgument, userArgument } from '../arguments.ts';
import { changeColumns } from '../change-columns.ts';
import { examples } from '../examples.ts';
import { followNewest, printAfter } from '../follow-changes.ts';
import type { Kit, Work } from '../kit.ts';
import { addListOptions, itemPrinter, type ListOptions, showPages } from '../show-pages.ts';

/** `history`: who changed what, when and why. */
export function addHistory(program: Command, { perform }: Kit): void {
  const history = program.command('history').description('show who changed what, when and why');

  addListOptions(history.command('user').addArgument(userArgument()))
    .description('the changes of a user, the newest first')
    .addHelpText('after', examples('history user ada', 'history user ada --all --json'))
    .action(
      perform(async (work: Work<ListOptions>, userId: string) => {
        const path = { userId };
        await showPages(work, (query) => work.client.call('list-user-changes', { path, query }), changeColumns);
      }),
    );

  addListOptions(history.command('app').addArgument(appArgument()))
    .description('the changes of an application and of its users in it, the newest first')
    .addOption(afterOption())
    .addOption(followOption())
    .addHelpText(
      'after',
      examples(
        'history app billing',
        'history app billing --follow',
        'history app billing --after "" --json > all.jsonl',
      ),
    )
    .action(
      perform(async (work: Work<AppHistoryOptions>, appId: string) => {
        const { after, follow = false, limit } = work.options;
        const fetchPage = (query: object) =>
          work.client.call('list-application-changes', { path: { appId }, query: { ...query } });
        if (after === undefined && !follow) return showPages(work, fetchPage, changeColumns);
        const print = itemPrinter(work, changeColumns);
        if (after === undefined) await followNewest(fetchPage, print, limit);
        const cursor = await printAfter(fetchPage, print, { after: after ?? '', follow });
        work.terminal.note(cursor === '' ? 'There are none.' : `Go on later with --after ${cursor}`);
      }),
    );
}

interface AppHistoryOptions extends ListOptions {
  readonly after?: string;
  readonly follow?: boolean;
}

function afterOption(): Option {
  const description = 'everything after this cursor, the oldest first; "" is the beginning; with --json JSON Lines';
  return new Option('--after <cursor>', description).conflicts(['cursor', 'all', 'limit']);
}

function followOption(): Option {
  const description = 'the latest, then each new one as it comes, until Ctrl-C; with --json JSON Lines';
  return new Option('--follow', description).conflicts(['cursor', 'all']);
}
