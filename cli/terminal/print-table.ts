import { displayWidth, printable, type Terminal, type Tone, truncate } from './terminal.ts';

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => string;
  /** The colour of the cell, on a terminal with colours. */
  readonly tone?: (item: Item) => Tone | undefined;
}

/**
 * Turns items into aligned lines, page by page. Titles come once, before the first item. On a terminal no line is wider than
 * it: the widest columns are cut, the first one last.
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

/** Styles after padding, because escape sequences take no columns. */
function join(row: readonly Cell[], widths: readonly number[], style: Terminal['style']): string {
  const cells = widths.map((width, index) => {
    const { text = '', tone } = row[index] ?? {};
    const shown = truncate(text, width);
    return `${style(shown, tone)}${' '.repeat(width - displayWidth(shown))}`;
  });
  const leftOut = row.length > widths.length ? [ellipsis] : [];
  return [...cells, ...leftOut].join(gap).trimEnd();
}

const gap = '  ';
/** Stands behind the last column where others are left out. */
const ellipsis = '…';
const narrowestColumn = 6;

/**
 * The widths with which a line is not wider than this: the widest columns get narrower, except for the first, which is the id.
 * Where that is not enough, the last ones are left out, and at last the first one is cut.
 */
function fittingWidths(widths: readonly number[], most = Number.POSITIVE_INFINITY): number[] {
  const [first = 0, ...others] = widths;
  const total = () => [first, ...others].reduce((sum, width) => sum + width + gap.length, -gap.length);
  const leftOut = () => (others.length < widths.length - 1 ? gap.length + ellipsis.length : 0);
  for (let widest = Math.max(...others); total() > most && widest > narrowestColumn; widest = Math.max(...others)) {
    others[others.indexOf(widest)] = widest - 1;
  }
  while (others.length > 0 && total() + leftOut() > most) others.pop();
  return [Math.max(1, Math.min(first, most - leftOut() - (total() - first))), ...others];
}

/** One resource as lines of a label and a value. */
export function recordLines(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}`.trimEnd());
}
