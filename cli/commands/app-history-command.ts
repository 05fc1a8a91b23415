import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Page } from '#shared/contract/answers.ts';
import type { Change } from '#shared/contract/change.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { changeTable } from '../history/change-columns.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import {
  addListOptions,
  itemPrinter,
  type ListOptions,
  type PageQuery,
  pageQuery,
  showPages,
} from '../service/show-pages.ts';
import { appArgument, examples } from '../terminal/arguments.ts';

/** Adds `history app`: the changes of an application, page by page or as they arrive. */
export function addAppHistory(history: Command, { withContext }: ContextProvider): void {
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
        const { columns, prepare } = changeTable(context.client);
        const fetchPage = (query: PageQuery & { after?: string }) =>
          context.client.call('list-application-changes', { path: { appId }, query });
        if (after === undefined && !follow) return showPages(context, fetchPage, columns, prepare);
        const print = itemPrinter(context, columns, prepare);
        if (after === undefined) await followNewest(fetchPage, print, limit);
        const cursor = await printAfter(fetchPage, print, { after: after ?? '', follow });
        context.terminal.note(
          cursor === '' ? 'No items.' : `Continue later with: ${context.again({ '--after': cursor })}`,
        );
      }),
    );
}

interface AppHistoryOptions extends ListOptions {
  readonly after?: string;
  readonly follow?: boolean;
}

function afterOption(): Option {
  const description =
    'show the changes after this cursor, oldest first; "" is the beginning; with --json as JSON Lines';
  return new Option('--after <cursor>', description).conflicts(['cursor', 'all', 'limit']);
}

function followOption(): Option {
  const description = 'show the latest changes, then new ones as they arrive, until Ctrl-C; with --json as JSON Lines';
  return new Option('--follow', description).conflicts(['cursor', 'all']);
}

const pollMilliseconds = 2000;

type FetchNewest = (query: PageQuery) => Promise<Page<Change>>;
type FetchAfter = (query: { readonly after: string; readonly limit: number }) => Promise<Page<Change>>;
type Print = (changes: readonly Change[]) => Promise<void>;

/** Prints the latest changes, oldest first, then each new one as it arrives; runs until the process ends. */
async function followNewest(fetchPage: FetchNewest, print: Print, limit: number | undefined): Promise<never> {
  const { items } = await fetchPage(pageQuery(limit, undefined));
  await print(items.toReversed());
  let known = new Set(items.map(({ id }) => id));
  for (;;) {
    await pause(pollMilliseconds);
    const latest = await readBackTo(known, fetchPage);
    await print(latest.filter(({ id }) => !known.has(id)).toReversed());
    known = new Set(latest.map(({ id }) => id));
  }
}

/** The newest changes, read page by page back to a known one. */
async function readBackTo(known: ReadonlySet<string>, fetchPage: FetchNewest): Promise<Change[]> {
  const found: Change[] = [];
  let query = pageQuery(maxPageSize, undefined);
  for (;;) {
    const { items, cursor } = await fetchPage(query);
    found.push(...items);
    if (cursor === null || items.some(({ id }) => known.has(id))) return found;
    query = pageQuery(maxPageSize, cursor);
  }
}

/** Prints the changes after a cursor, oldest first, and returns the cursor to continue from; never returns with `follow`. */
async function printAfter(
  fetchPage: FetchAfter,
  print: Print,
  { after, follow }: { readonly after: string; readonly follow: boolean },
): Promise<string> {
  let cursor = after;
  for (;;) {
    const page = await fetchPage({ after: cursor, limit: maxPageSize });
    await print(page.items);
    cursor = page.cursor ?? cursor;
    if (page.items.length > 0) continue;
    if (!follow) return cursor;
    await pause(pollMilliseconds);
  }
}
