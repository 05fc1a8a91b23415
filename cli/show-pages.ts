import type { Command } from 'commander';
import { maxPageSize } from '#shared/contract/limits.ts';
import type { Page } from '#shared/contract/management.ts';
import { limitOption } from './arguments.ts';
import type { Work } from './kit.ts';
import { type Column, createTable } from './print-table.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

/** Which page is asked for. */
export type PageQuery = Readonly<{ limit?: number; cursor?: string }>;

/** The options of every list. */
export function addListOptions(command: Command): Command {
  return command
    .addOption(limitOption())
    .option('--cursor <cursor>', 'go on where an earlier page ended')
    .option('--all', 'all pages; with --json one item to a line (JSON Lines)');
}

/** Shows one page, or with `--all` every page as it comes. To programs one page is the answer as it is, all are JSON Lines. */
export async function showPages<Item>(
  work: Work<ListOptions>,
  fetchPage: (query: PageQuery) => Promise<Page<Item>>,
  columns: readonly Column<Item>[],
): Promise<void> {
  const { all, json, limit = all ? maxPageSize : undefined, cursor } = work.options;
  const print = itemPrinter(work, columns);
  let page = await fetchPage(pageQuery(limit, cursor));
  if (json && !all) return work.show(page);
  let count = page.items.length;
  print(page.items);
  while (all && page.cursor !== null) {
    page = await fetchPage(pageQuery(limit, page.cursor));
    count += page.items.length;
    print(page.items);
  }
  if (json) return;
  if (page.cursor !== null) work.terminal.note(`There are more: add --all, or --cursor ${page.cursor}`);
  else if (count === 0) work.terminal.note('There are none.');
}

/** Prints items as they come: JSON Lines to programs, a growing table to people. */
export function itemPrinter<Item>({ options, terminal }: Work, columns: readonly Column<Item>[]) {
  const table = createTable(columns, terminal.style);
  return (items: readonly Item[]): void =>
    terminal.print(...(options.json ? items.map((item) => JSON.stringify(item)) : table(items)));
}

export function pageQuery(limit: number | undefined, cursor: string | undefined): PageQuery {
  return { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
}
