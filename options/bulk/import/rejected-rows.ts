import type { ImportRow, ImportTable } from '#shared/csv/import-table.ts';
import { createCsv } from '#shared/csv/write-csv.ts';

/** A row that was not imported, and why. */
export interface RejectedRow extends ImportRow {
  readonly problem: string;
}

/** The column with the reason, which an import ignores. */
export const problemTitle = 'problem';

/** The same kind of file with some of its rows, each with its problem. */
export function writeRejectedRows({ titles, extension }: ImportTable, rows: readonly RejectedRow[]): string {
  if (extension === 'jsonl') {
    return rows.map(({ cells, problem }) => `${JSON.stringify({ ...Object.fromEntries(cells), problem })}\n`).join('');
  }
  const csv = createCsv<RejectedRow>([
    ...titles
      .filter((title) => title !== problemTitle)
      .map((title) => ({ title, cell: ({ cells }: RejectedRow) => String(cells.get(title) ?? '') })),
    { title: problemTitle, cell: ({ problem }) => problem },
  ]);
  return csv.head + csv.lines(rows);
}
