import { displayWidth, printable, type Terminal, type Tone, truncate } from './terminal.ts';

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => string;
  /** The colour of the cell, on a terminal with colours. */
  readonly tone?: (item: Item) => Tone | undefined;
}

/**
 * Formats items as aligned lines, page by page. Titles appear once, before the first item. Tables fit the terminal: long cells
 * are truncated in the widest column first, and in the first column last.
 */
export function createTable<Item>(
  columns: readonly Column<Item>[],
  { style, columns: most }: Pick<Terminal, 'style' | 'columns'>,
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
    const fitting = fittingWidths(widths, most);
    return rows.map((row) => join(row, fitting, style));
  };
}

interface Cell {
  readonly text: string;
  readonly tone: Tone | undefined;
}

/** Styles after padding, because escape sequences have no width. */
function join(row: readonly Cell[], widths: readonly number[], style: Terminal['style']): string {
  const cells = widths.map((width, index) => {
    const { text = '', tone } = row[index] ?? {};
    const shown = truncate(text, width);
    return `${style(shown, tone)}${' '.repeat(width - displayWidth(shown))}`;
  });
  const marker = row.length > widths.length ? [ellipsis] : [];
  return [...cells, ...marker].join(gap).trimEnd();
}

const gap = '  ';
/** Marks dropped trailing columns. */
const ellipsis = '…';
const narrowestColumn = 6;

/**
 * The column widths that fit a line: the widest columns become narrower, except the first one, which is the id. If that is not
 * enough, trailing columns are dropped, and finally the first one is truncated.
 */
function fittingWidths(widths: readonly number[], most = Number.POSITIVE_INFINITY): number[] {
  const [first = 0, ...others] = widths;
  const total = () => [first, ...others].reduce((sum, width) => sum + width + gap.length, -gap.length);
  const dropped = () => (others.length < widths.length - 1 ? gap.length + ellipsis.length : 0);
  for (let widest = Math.max(...others); total() > most && widest > narrowestColumn; widest = Math.max(...others)) {
    others[others.indexOf(widest)] = widest - 1;
  }
  while (others.length > 0 && total() + dropped() > most) others.pop();
  return [Math.max(1, Math.min(first, most - dropped() - (total() - first))), ...others];
}

/** A resource as labelled lines. */
export function recordLines(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}`.trimEnd());
}
