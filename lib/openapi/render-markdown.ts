/**
 * Markdown as this project's documents use it, as HTML: headings, paragraphs, lists, tables, code, links. Whatever stands
 * in it is text and never HTML. A link that leads to nothing that is served becomes its label.
 */
export function renderMarkdown(text: string, isServed: (path: string) => boolean): string {
  const lines = text.split('\n');
  const html: string[] = [];
  while (lines.length > 0) html.push(takeBlock(lines));
  return html.join('\n').replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (link, target: string, label: string) => {
    const path = target.replace(/#.*/, '');
    return path.startsWith('/') && !isServed(path) ? label : link;
  });
}

/** Takes the next block off the lines. */
function takeBlock(lines: string[]): string {
  const [line = ''] = lines;
  if (/^\s*$|^<!--.*-->$/.test(line)) return takeNothing(lines);
  if (line.startsWith('```')) return takeCode(lines);
  const [, marks, title = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
  if (marks !== undefined) return takeHeading(lines, marks.length, title);
  if (line.startsWith('|')) return takeTable(takeWhile(lines, (next) => next.startsWith('|')));
  const [, bullet] = bulletPattern.exec(line) ?? [];
  if (bullet !== undefined) return takeList(lines, bullet === '-' ? 'ul' : 'ol');
  return `<p>${inline(takeWhile(lines, isProse).join('\n'))}</p>`;
}

const bulletPattern = /^(-|\d+\.) +/;

function takeNothing(lines: string[]): string {
  lines.shift();
  return '';
}

function takeCode(lines: string[]): string {
  lines.shift();
  const code = takeWhile(lines, (line) => !line.startsWith('```'));
  lines.shift();
  return `<pre><code>${escapeHtml(code.join('\n'))}</code></pre>`;
}

/** Its anchor is the one that GitHub gives it. */
function takeHeading(lines: string[], level: number, title: string): string {
  lines.shift();
  const anchor = title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
  return `<h${level} id="${anchor}"><a href="#${anchor}">${inline(title)}</a></h${level}>`;
}

function takeTable([head = '', , ...rows]: readonly string[]): string {
  const row = (line: string, tag: string) =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${inline(cell)}</${tag}>`)
      .join('')}</tr>`;
  return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((line) => row(line, 'td')).join('')}</tbody></table>`;
}

/** A bar in a cell is written `\|`. */
function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function takeList(lines: string[], tag: 'ul' | 'ol'): string {
  const items: string[] = [];
  while (bulletPattern.test(lines[0] ?? '')) {
    const [first = ''] = lines.splice(0, 1);
    const rest = takeWhile(lines, (line) => /^ +\S/.test(line));
    items.push(`<li>${inline([first.replace(bulletPattern, ''), ...rest].join('\n'))}</li>`);
  }
  return `<${tag}>${items.join('')}</${tag}>`;
}

function isProse(line: string): boolean {
  return !/^\s*$|^```|^#{1,6} |^\|/.test(line) && !bulletPattern.test(line);
}

function takeWhile(lines: string[], fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}

/** Code is code, whatever is in it; its place is kept by a character that no document has. */
function inline(text: string): string {
  const codes: string[] = [];
  const withoutCode = text.replace(/`([^`]+)`/g, (_, code: string) => {
    codes.push(`<code>${escapeHtml(code)}</code>`);
    return '\0';
  });
  return prose(withoutCode).replaceAll('\0', () => codes.shift() ?? '');
}

function prose(text: string): string {
  return escapeHtml(text)
    .replace(/\*\*(.+?)\*\*/gs, '<strong>$1</strong>')
    .replace(/(?<!\w)_(.+?)_(?!\w)/gs, '<em>$1</em>')
    .replace(
      /\[([^\]]*)\]\(([^)\s]+)\)/g,
      (_, label: string, target: string) => `<a href="${linkOf(target)}">${label}</a>`,
    );
}

/** Documents are served beside each other below `/docs`, without their ending. */
function linkOf(target: string): string {
  if (/^(?:https?:\/\/|\/|#)/.test(target)) return target;
  return `/docs/${target.replace(/\.md(?=#|$)/, '')}`;
}

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
