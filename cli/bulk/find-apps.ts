import type { ApplicationView } from '#shared/contract/application.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { isFound } from '#shared/contract/find-applications.ts';
import { readAll } from '#shared/contract/read-all.ts';
import { countOf } from '#shared/contract/wording.ts';
import { createApplicationsFile } from '#shared/csv/application-table.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import type { CommandContext } from '../service/command-context.ts';
import { pageQuery } from '../service/show-pages.ts';
import { notWritten } from '../terminal/cli-error.ts';
import { type Column, createTable } from '../terminal/print-table.ts';

export interface FindOptions {
  readonly search?: string;
  readonly csv?: string;
}

/** Prints or writes the applications whose ids or names contain each word of the search; all without one. */
export async function findApps(
  { client, options: { search = '', csv }, terminal, show }: CommandContext<FindOptions>,
  columns: readonly Column<ApplicationView>[],
): Promise<void> {
  const all = await readAll<ApplicationView>((cursor) =>
    client.call('list-applications', { query: pageQuery(maxPageSize, cursor) }),
  );
  const items = all.filter((application) => isFound(application, search));
  if (csv === undefined) return show({ items }, ...createTable(columns, terminal)(items));
  try {
    writeWhole(csv, createApplicationsFile(items), { mode: 0o666 });
  } catch (cause) {
    throw notWritten(csv, cause);
  }
  show({ items }, `Wrote ${countOf(items.length, 'application')} to ${csv}.`);
}
