/** Aligns the columns of each table in Markdown, so that it is also readable as plain text; changes nothing else. */
export function alignTables(markdown: string): string {
  return markdown.replace(/(?:^\|.*\|$\n?){2,}/gm, (table) => {
    const end = table.endsWith('\n') ? '\n' : '';
    return alignTable(table.trimEnd().split('\n').map(cellsOf)).join('\n') + end;
  });
}

function cellsOf(line: string): string[] {
  const [, ...cells] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return cells.slice(0, -1);
}

function alignTable(rows: readonly (readonly string[])[]): string[] {
  const [, rule = []] = rows;
  const widths = rule.map((mark, column) => {
    const texts = rows.filter((row) => row !== rule).map((row) => lengthOf(row[column]));
    return Math.max(mark.endsWith(':') ? 4 : 3, ...texts);
  });
  return rows.map((row) => {
    const cells = widths.map((width, column) => alignCell(row, rule, column, width));
    return `| ${cells.join(' | ')} |`;
  });
}

function alignCell(row: readonly string[], rule: readonly string[], column: number, width: number): string {
  const isRight = rule[column]?.endsWith(':') ?? false;
  if (row === rule) return isRight ? '-'.repeat(width - 1).concat(':') : '-'.repeat(width);
  const text = row[column] ?? '';
  const space = ' '.repeat(width - lengthOf(text));
  return isRight ? space + text : text + space;
}

/** Characters, not UTF-16 code units. */
function lengthOf(text = ''): number {
  return [...text].length;
}
