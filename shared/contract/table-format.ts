/**
 * The format of what this version reads and writes in the table. It rises with the shape of the table: the kinds of items, their
 * keys and the indexes (`test/shared/table/table-shape.test.ts`). CHANGELOG.md says how a table gets from one to the next.
 */
export const tableFormat = 2;

/** The oldest format from which a repair brings a table to this one. Until then, nothing else is answered. */
export const oldestRepairedFormat = 1;

/** The primary key of the item that says the format of a table. A table without it has no application yet. */
export const tableFormatKey = { pk: 'FORMAT', sk: 'FORMAT' } as const;

/** What is wrong with a table of another format, and what to do, for the log and the command line; undefined for this one. */
export function tableFormatProblem(found: unknown): string | undefined {
  if (found === tableFormat) return undefined;
  if (typeof found !== 'number') return 'The format of the table cannot be read. Restore the item FORMAT of the table.';
  return found > tableFormat
    ? `The table has format ${found}, and this version knows formats up to ${tableFormat}. Deploy the version that wrote it, or a newer one.`
    : `The table has format ${found}, and this version needs format ${tableFormat}. Follow "Table format ${tableFormat}" in CHANGELOG.md.`;
}

/** Whether a repair brings a table of this format to the one of this version. */
export function isRepairedFormat(found: unknown): boolean {
  return typeof found === 'number' && found >= oldestRepairedFormat && found < tableFormat;
}
