import type { Command } from 'commander';
import type { Page } from '#shared/contract/answers.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { limitOption } from '../terminal/arguments.ts';
import { type Column, createTable } from '../terminal/print-table.ts';
import { redrawnLine } from '../terminal/terminal.ts';
import type { CommandContext } from './command-context.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

/** The query parameters of every list. */
export type PageQuery = Readonly<{ limit?: number; cursor?: string }>;

/** Adds the options of every list. */
export function addListOptions(command: Command): Command {
  return command
    .addOption(limitOption())
    .option('--cursor <cursor>', 'continue after an earlier page')
    .option('--all', 'show all pages; with --json one item per line (JSON Lines)');
}

/** Runs before items become rows. */
export type Prepare<Item> = (items: readonly Item[]) => Promise<void>;

/** Prints one page, or with `--all` each page as it arrives. With `--json`: the response, or JSON Lines of all items. */
export async function showPages<Item>(
  context: CommandContext<ListOptions>,
  fetchPage: (query: PageQuery) => Promise<Page<Item> & { readonly limitedTo?: readonly string[] }>,
  columns: readonly Column<Item>[],
  prepare?: Prepare<Item>,
): Promise<void> {
  const { all, json, limit = all ? maxPageSize : undefined, cursor } = context.options;
  const print = itemPrinter(context, columns, prepare);
  let page = await fetchPage(pageQuery(limit, cursor));
  if (json && !all) return context.show(page);
  let count = page.items.length;
  await print(page.items);
  while (all && page.cursor !== null) {
    page = await fetchPage(pageQuery(limit, page.cursor));
    count += page.items.length;
    await print(page.items);
  }
  if (json) return;
  if (page.limitedTo !== undefined) context.terminal.note(limitNote(page.limitedTo));
  if (page.cursor !== null)
    context.terminal.note(`More items exist: add --all. The next page: ${context.again({ '--cursor': page.cursor })}`);
  else if (count === 0) context.terminal.note('No items.');
}

/** Passes on every page of a list as it arrives, until stopped. */
export async function eachPage<Item>(
  fetchPage: (query: PageQuery) => Promise<Page<Item>>,
  take: (items: readonly Item[], isLast: boolean) => void,
  stopping?: AbortSignal,
): Promise<void> {
  let cursor: string | null | undefined;
  const isStopped = () => stopping?.aborted === true;
  while (cursor !== null && !isStopped()) {
    const page: Page<Item> = await fetchPage(pageQuery(maxPageSize, cursor));
    cursor = page.cursor;
    if (!isStopped()) take(page.items, cursor === null);
  }
}

/** Otherwise a filtered list would look complete. */
export function limitNote(limitedTo: readonly string[]): string {
  return `Limited to ${limitedTo.join(', ') || 'no application'}: your operator roles do not cover other applications.`;
}

/** Skips empty pages, which a search returns when it reads many users without a match. */
export function filled<Answer extends Page<unknown>>(
  { terminal }: Pick<CommandContext, 'terminal'>,
  fetchPage: (query: PageQuery) => Promise<Answer>,
) {
  return async (query: PageQuery): Promise<Answer> => {
    const line = redrawnLine(terminal);
    line.show('Searching …');
    try {
      let page = await fetchPage(query);
      for (let read = 1; page.items.length === 0 && page.cursor !== null; read++) {
        line.show(`Searching: nothing on ${countOf(read, 'page')} …`);
        page = await fetchPage({ ...query, cursor: page.cursor });
      }
      return page;
    } finally {
      line.end();
    }
  };
}

/** Prints items as they arrive: as JSON Lines with `--json`, otherwise as rows of one table. */
export function itemPrinter<Item>(
  { options, terminal }: CommandContext,
  columns: readonly Column<Item>[],
  prepare?: Prepare<Item>,
) {
  const rowsOf = createTable(columns, terminal);
  return async (items: readonly Item[]): Promise<void> => {
    if (options.json) return terminal.print(...items.map((item) => JSON.stringify(item)));
    await prepare?.(items);
    terminal.print(...rowsOf(items));
  };
}

export function pageQuery(limit: number | undefined, cursor: string | undefined): PageQuery {
  return { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
}
