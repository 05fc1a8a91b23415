import { displayWidth, printable, type Terminal, type Tone, truncate } from './terminal.ts';

export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => string;
  /** The colour of the cell, on a terminal with colours. */
  readonly tone?: (item: Item) => Tone | undefined;
  /** Free text, of which the beginning says enough. Default: a value that is shown whole or not at all. */
  readonly isText?: boolean;
  /** The columns of the highest rank are dropped first if the terminal is too narrow. Default: the place of the column. */
  readonly rank?: number;
}

/**
 * Formats items as aligned lines, page by page. Titles appear once, before the first item. Tables fit the terminal: long texts
 * are truncated, and if that is not enough, whole columns are dropped by rank, the first one never.
 */
export function createTable<Item>(
  columns: readonly Column<Item>[],
  { style, columns: most }: Pick<Terminal, 'style' | 'columns'>,
): (items: readonly Item[]) => string[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, tone: 'bold' }));
  let widths = titles.map(({ text }) => displayWidth(text));
  let shown: readonly number[] | undefined;
  return (items) => {
    const rows = items.map((item) =>
      columns.map(({ cell, tone }): Cell => ({ text: printable(cell(item)), tone: tone?.(item) })),
    );
    if (shown === undefined && rows.length > 0) rows.unshift(titles);
    widths = widths.map((width, index) => Math.max(width, ...rows.map((row) => displayWidth(row[index]?.text ?? ''))));
    // Later pages have the columns of the titles.
    if (rows.length > 0) shown ??= fittingColumns(columns, widths, most);
    const fitting = fittingWidths(shown ?? [], columns, widths, most);
    return rows.map((row) => join(row, fitting, style));
  };
}

interface Cell {
  readonly text: string;
  readonly tone: Tone | undefined;
}

/** The width of each column that is shown, by its place. */
type Widths = ReadonlyMap<number, number>;

/** Styles after padding, because escape sequences have no width. */
function join(row: readonly Cell[], widths: Widths, style: Terminal['style']): string {
  const cells = [...widths].map(([index, width]) => {
    const { text = '', tone } = row[index] ?? {};
    const shown = truncate(text, width);
    return `${style(shown, tone)}${' '.repeat(width - displayWidth(shown))}`;
  });
  const marker = row.length > widths.size ? [ellipsis] : [];
  return [...cells, ...marker].join(gap).trimEnd();
}

const gap = '  ';
/** Marks dropped columns. */
const ellipsis = '…';
/** What is left of a text when it is truncated, at the least. */
const narrowestText = 16;
/** The widest value that is never truncated while a column can be dropped instead: a time with its offset. */
const widestWhole = 26;

/** The places of the columns that a line has room for. */
function fittingColumns<Item>(
  columns: readonly Column<Item>[],
  widths: readonly number[],
  most = Number.POSITIVE_INFINITY,
): number[] {
  const least = columns.map((column, index) => leastWidth(column, index, widths[index] ?? 0));
  const rankOf = (index: number) => (index === 0 ? -1 : (columns[index]?.rank ?? index));
  const shown = [...columns.keys()];
  const needed = () =>
    lineWidth(
      shown.map((index) => least[index] ?? 0),
      columns.length,
    );
  while (shown.length > 1 && needed() > most) {
    const last = shown.reduce((worst, index) => (rankOf(index) >= rankOf(worst) ? index : worst));
    shown.splice(shown.indexOf(last), 1);
  }
  return shown;
}

function leastWidth<Item>({ isText }: Column<Item>, index: number, width: number): number {
  if (index === 0) return width;
  return Math.min(width, isText ? narrowestText : widestWhole);
}

/** The widths that fit a line: texts become narrower first, then values, and last the first column, which has the id. */
function fittingWidths<Item>(
  shown: readonly number[],
  columns: readonly Column<Item>[],
  all: readonly number[],
  most = Number.POSITIVE_INFINITY,
): Widths {
  const widths = shown.map((index) => all[index] ?? 0);
  const tooWide = () => lineWidth(widths, columns.length) > most;
  const narrow = (leastOf: (place: number) => number) => {
    const room = () => widths.map((width, place) => (width > leastOf(place) ? width : 0));
    for (let widest = Math.max(...room()); widest > 0 && tooWide(); widest = Math.max(...room()))
      widths[room().indexOf(widest)] = widest - 1;
  };
  const isText = (place: number) => columns[shown[place] ?? 0]?.isText === true;
  narrow((place) => (place > 0 && isText(place) ? narrowestText : Number.POSITIVE_INFINITY));
  narrow((place) => (place > 0 ? 1 : Number.POSITIVE_INFINITY));
  narrow(() => 1);
  return new Map(shown.map((index, place) => [index, widths[place] ?? 0]));
}

/** With the gaps and, if columns are dropped, the mark that says so. */
function lineWidth(widths: readonly number[], columns: number): number {
  const marker = widths.length < columns ? gap.length + ellipsis.length : 0;
  return widths.reduce((sum, width) => sum + width + gap.length, -gap.length) + marker;
}

/** A resource as labelled lines. */
export function recordLines(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${printable(value)}`.trimEnd());
}
