import { maxPageSize } from '#shared/contract/fields.ts';
import type { CommandContext } from '../service/command-context.ts';
import { type PageQuery, pageQuery } from '../service/show-pages.ts';
import { withNote } from '../terminal/cli-error.ts';

/** A progress line is printed after this many pages. */
const notePages = 10;

interface Counts {
  readonly checked: number;
  readonly changed: number;
}

/** A repair that proceeds page by page. */
export interface Reindexing {
  /** The command as typed, without its options. */
  readonly command: string;
  readonly fetchPage: (query: PageQuery) => Promise<Counts & { readonly cursor: string | null }>;
  readonly summarize: (total: Counts) => string;
}

/** Repairs all pages. `--cursor` continues a failed run; it is safe to run twice. */
export async function reindexAll(
  { options, terminal, announce, show }: CommandContext<{ readonly cursor?: string }>,
  { command, fetchPage, summarize }: Reindexing,
): Promise<void> {
  announce();
  const total = { checked: 0, changed: 0 };
  let cursor = options.cursor;
  for (let page = 1; ; page++) {
    const answer = await fetchPage(pageQuery(maxPageSize, cursor)).catch((error) =>
      Promise.reject(cursor === undefined ? error : withNote(error, `Continue with: ${command} --cursor ${cursor}`)),
    );
    total.checked += answer.checked;
    total.changed += answer.changed;
    if (answer.cursor === null) return show(total, summarize(total));
    cursor = answer.cursor;
    if (page % notePages === 0) terminal.note(`${summarize(total)} Continuing …`);
  }
}
