import { type Command, Option } from 'commander';
import type { Change, ChangeSide } from '#shared/contract/change.ts';
import { appArgument, examples, userArgument } from '../arguments.ts';
import type { CommandContext, ContextProvider } from '../command-context.ts';
import { followNewest, printAfter } from '../follow-changes.ts';
import { formatTime } from '../format-time.ts';
import type { Column } from '../print-table.ts';
import { addListOptions, itemPrinter, type ListOptions, type PageQuery, showPages } from '../show-pages.ts';

/** Adds `history`: who changed what, when and why. */
export function addHistory(program: Command, { withContext }: ContextProvider): void {
  const history = program.command('history').description('show who changed what, when and why');

  addListOptions(history.command('user').addArgument(userArgument()))
    .description('show the changes of a user, newest first')
    .addHelpText('after', examples('history user ada', 'history user ada --all --json'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, userId: string) => {
        const path = { userId };
        await showPages(context, (query) => context.client.call('list-user-changes', { path, query }), changeColumns);
      }),
    );

  addListOptions(history.command('app').addArgument(appArgument()))
    .description('show the changes of an application and of its users, newest first')
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
      withContext(async (context: CommandContext<AppHistoryOptions>, appId: string) => {
        const { after, follow = false, limit } = context.options;
        const fetchPage = (query: PageQuery & { after?: string }) =>
          context.client.call('list-application-changes', { path: { appId }, query });
        if (after === undefined && !follow) return showPages(context, fetchPage, changeColumns);
        const print = itemPrinter(context, changeColumns);
        if (after === undefined) await followNewest(fetchPage, print, limit);
        const cursor = await printAfter(fetchPage, print, { after: after ?? '', follow });
        context.terminal.note(cursor === '' ? 'No items.' : `Continue later with --after ${cursor}`);
      }),
    );
}

interface AppHistoryOptions extends ListOptions {
  readonly after?: string;
  readonly follow?: boolean;
}

function afterOption(): Option {
  const description = 'changes after this cursor, oldest first; "" is the beginning; with --json JSON Lines';
  return new Option('--after <cursor>', description).conflicts(['cursor', 'all', 'limit']);
}

function followOption(): Option {
  const description = 'show the latest, then each new one as it arrives, until Ctrl-C; with --json JSON Lines';
  return new Option('--follow', description).conflicts(['cursor', 'all']);
}

/** The columns of a history. */
export const changeColumns: readonly Column<Change>[] = [
  { title: 'WHEN', cell: ({ at }) => formatTime(at) },
  { title: 'ACTION', cell: ({ action }) => action },
  { title: 'OF', cell: subject },
  { title: 'CHANGE', cell: differences },
  { title: 'BY', cell: ({ caller }) => callerName(caller) },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-' },
];

function subject({ userId, appId, role, keyId }: Change): string {
  return [userId, appId, role, keyId].filter((id) => id !== undefined).join(' ');
}

/** `status enabled → disabled, until - → 2026-11-20 21:14:11Z`, without the version and a reason that REASON shows. */
function differences({ before, after, reason }: Change): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const changed = names.filter((name) => name !== 'version' && format(before?.[name]) !== format(after?.[name]));
  const shown = changed.filter((name) => name !== 'reason' || after?.reason !== reason);
  return shown.map((name) => `${label(name)} ${formatOf(name, before)} → ${formatOf(name, after)}`).join(', ') || '-';
}

function label(name: string): string {
  return name === 'rolloutPercent' ? 'rollout' : name;
}

function formatOf(name: string, side: ChangeSide | null): string {
  const text = format(side?.[name]);
  return name === 'rolloutPercent' && text !== '-' ? `${text} %` : text;
}

function format(value: ChangeSide[string] | undefined): string {
  if (value === null || value === undefined || value === '') return '-';
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T.*Z$/.test(value) ? formatTime(value) : String(value);
}

/** The key id, the e-mail address, or the end of the ARN; the subject of a token, whatever it looks like, is no ARN. */
function callerName(caller: Change['caller']): string {
  if (caller.kind === 'api-key') return caller.keyId;
  if (caller.via === 'token') return caller.email ?? `token ${caller.id}`;
  return caller.email ?? caller.id.replace(/^arn:[a-z-]+:(?:iam|sts)::\d*:/, '');
}
