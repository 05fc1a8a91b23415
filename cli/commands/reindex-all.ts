import { maxPageSize } from '#shared/contract/fields.ts';
import type { CommandContext } from '../service/command-context.ts';
import { type PageQuery, pageQuery } from '../service/show-pages.ts';
import { withNote } from '../terminal/cli-error.ts';

/** So often the user is told how far it is, in pages. */
const notePages = 10;

interface Counts {
  readonly checked: number;
  readonly changed: number;
}

/** What is written anew, page by page. */
export interface Reindexing {
  /** As it is typed, without its options. */
  readonly command: string;
  readonly fetchPage: (query: PageQuery) => Promise<Counts & { readonly cursor: string | null }>;
  readonly said: (total: Counts) => string;
}

/** Goes through all pages. What failed in between is continued by `--cursor`; a repetition skips what is done. */
export async function reindexAll(
  { options, terminal, announce, show }: CommandContext<{ readonly cursor?: string }>,
  { command, fetchPage, said }: Reindexing,
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
    if (answer.cursor === null) return show(total, said(total));
    cursor = answer.cursor;
    if (page % notePages === 0) terminal.note(`${said(total)} Going on …`);
  }
}
