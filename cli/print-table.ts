import type { Style, Tone } from './terminal.ts';
import { displayWidth, printable } from './terminal.ts';

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => string;
  /** The colour of the cell, on a terminal with colours. */
  readonly tone?: (item: Item) => Tone | undefined;
}

/** Turns items into aligned lines, page by page. Titles come once, before the first item; columns never get narrower. */
export function createTable<Item>(
  columns: readonly Column<Item>[],
  style: Style,
): (items: readonly Item[]) => string[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, tone: 'bold' }));
  let widths = titles.map(({ text }) => displayWidth(text));
  let titled = false;
  return (items) => {
    const rows = items.map((item) =>
      columns.map(({ cell, tone }): Cell => ({ text: printable(cell(item)), tone: tone?.(item) })),
    );
    if (!titled && rows.length > 0) rows.unshift(titles);
    titled ||= rows.length > 0;
    widths = widths.map((width, index) => Math.max(width, ...rows.map((row) => displayWidth(row[index]?.text ?? ''))));
    return rows.map((row) => join(row, widths, style));
  };
}

interface Cell {
  readonly text: string;
  readonly tone: Tone | undefined;
}

/** Styles after padding, because escape sequences take no columns. */
function join(row: readonly Cell[], widths: readonly number[], style: Style): string {
  const cells = row.map(({ text, tone }, index) => {
    const padding = ' '.repeat((widths[index] ?? 0) - displayWidth(text));
    return `${style(text, tone)}${padding}`;
  });
  return cells.join('  ').trimEnd();
}

/** One resource as lines of a label and a value. */
export function recordLines(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}`.trimEnd());
}
