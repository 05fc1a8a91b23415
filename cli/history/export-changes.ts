import type { ManagementClient } from '#client/management/management-client.ts';
import type { Page } from '#shared/contract/answers.ts';
import type { Change } from '#shared/contract/change.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { Selection } from '#shared/csv/change-archive.ts';
import { type ChangeFormat, createChangeFile, type KnownNames } from '#shared/csv/change-table.ts';
import { createNameFinder, type NameSource } from '#shared/csv/known-names.ts';
import { WholeFile } from '#shared/files/whole-file.ts';
import type { CommandContext } from '../service/command-context.ts';
import { limitNote, type PageQuery, pageQuery } from '../service/show-pages.ts';
import { notWritten } from '../terminal/cli-error.ts';
import { formatTime } from '../terminal/format-time.ts';
import { progressOf } from '../terminal/terminal.ts';

export type FetchPage = (query: PageQuery) => Promise<Page<Change> & { readonly limitedTo?: readonly string[] }>;

/** What is exported, and where to. */
export interface ExportRequest {
  readonly file: string;
  readonly selection: Selection;
}

/** A format of exports. */
export interface ExportFormat {
  /** What a file has besides the changes, for the help. Default: nothing. */
  readonly contains?: string;
  write(context: CommandContext, request: ExportRequest, fetchPage: FetchPage): Promise<void>;
}

/** The changes alone, as a table or as records. */
export function formatOfChanges(format: ChangeFormat): ExportFormat {
  return { write: (context, { file }, fetchPage) => exportChanges(context, { file, format }, fetchPage) };
}

/** Writes all changes to a file, page by page. An existing file is replaced only when all changes have been written. */
async function exportChanges(
  context: CommandContext,
  { file, format }: { readonly file: string; readonly format: ChangeFormat },
  fetchPage: FetchPage,
): Promise<void> {
  const { add, begin, end } = createChangeFile(format);
  const findNames = format === 'csv' ? createNameFinder(namesFrom(context.client)) : async () => noNames;
  const opened = openExport(file);
  try {
    opened.write(begin);
    const { count, limitedTo } = await readAll(context, fetchPage, async (changes) =>
      opened.write(add(changes, await findNames(changes))),
    );
    opened.write(end);
    opened.finish();
    if (limitedTo !== undefined) context.terminal.note(limitNote(limitedTo));
    context.show({ file, changes: count }, `Exported ${countOf(count, 'change')} to ${file}.`);
  } finally {
    opened.discard();
  }
}

/** Reads all pages; returns how many changes there are, and the applications to which the operator is limited. */
export async function readAll(
  { terminal }: CommandContext,
  fetchPage: FetchPage,
  take: (changes: readonly Change[]) => Promise<void>,
) {
  let count = 0;
  let cursor: string | undefined;
  let backTo = '';
  const progress = progressOf(terminal);
  try {
    for (;;) {
      progress.show(`${countOf(count, 'change')}${backTo}`);
      const page = await fetchPage(pageQuery(maxPageSize, cursor));
      await take(page.items);
      count += page.items.length;
      if (page.cursor === null) return { count, limitedTo: page.limitedTo };
      cursor = page.cursor;
      const last = page.items.at(-1);
      if (last !== undefined) backTo = `, back to ${formatTime(last.at)}`;
    }
  } finally {
    progress.end();
  }
}

const noNames: KnownNames = { users: new Map(), applications: new Map() };

/** Asks the service for the names of users and applications. */
export function namesFrom(client: ManagementClient): NameSource {
  return {
    resolveUsers: async (names) => (await client.call('resolve-users', { body: { names: [...names] } })).items,
    listApplications: (cursor) => client.call('list-applications', { query: pageQuery(maxPageSize, cursor) }),
  };
}

/** The file of an export, which replaces an existing one once it is finished. */
export function openExport(file: string): WholeFile {
  try {
    return new WholeFile(file, { mode: 0o666 });
  } catch (cause) {
    throw notWritten(file, cause);
  }
}
