type Cell = string | number;

/** A table in Markdown. */
export function markdownTable(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  const alignment = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(head), line(alignment), ...rows.map(line)].join('\n');
}
