import { isUserId } from '#shared/contract/fields.ts';
import { CsvError, lineEnd, plainTitle, readTable, withDelimiter } from './read-csv.ts';
import { withoutApostrophes } from './write-csv.ts';

/** A line of a text that names people. */
export interface PeopleLine extends TextLine {
  /** The user ids or e-mail addresses, unless the whole line is the id of a user. */
  readonly names: readonly string[];
  /** The whole line, if it could be one id: an id can contain commas, semicolons and apostrophes, or be the word of a title. */
  readonly whole?: string;
  /** What precedes a comma before a name with an address: it is part of the name, unless it is the id of a user. */
  readonly doubtful?: readonly string[];
}

interface TextLine {
  /** From 1. */
  readonly line: number;
  /** Without its comment. */
  readonly text: string;
}

/** Lines that cannot be read as people, so that nothing is done for the others either. */
export class PeopleError extends CsvError {
  readonly lines: readonly TextLine[];

  constructor(lines: readonly TextLine[]) {
    const [{ line, text } = { line: 1, text: '' }, ...others] = lines;
    const more = others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'line' : 'lines'}`;
    super(
      `Line ${line} is not a list of user IDs or e-mail addresses: ${shortened(text)}${more}. Correct it, or give a table titles such as userId or email.`,
    );
    this.lines = lines;
  }
}

const maxShownText = 80;

function shortened(text: string): string {
  return JSON.stringify(text.length > maxShownText ? `${text.slice(0, maxShownText)}…` : text);
}

/**
 * The people in a text: on each line one or several, divided by comma, semicolon or tab, each a user id, an e-mail address or
 * `Name <address>`, with comments after `#`; or a table with a column of ids or addresses, ids first. Throws a PeopleError with
 * all lines that are something else.
 */
export function readPeople(text: string): PeopleLine[] {
  const all = withDelimiter(text).content.split(lineEnd).map(toTextLine);
  const lines = all.filter((line) => line.text !== '');
  const head = lines[0]?.text ?? '';
  const isTable = !isTitle(head) && cellsOf(head, ',;\t').some(isTitle);
  const read = isTable ? readColumns(text, all) : readList(lines, isTitle(head));
  const wrong = read.filter(({ names }) => names === undefined);
  if (wrong.length > 0) throw new PeopleError(wrong.map(({ line, text }) => ({ line, text })));
  return read.map(({ names = [], ...line }) => ({ ...line, names }));
}

/** What `namesOf` needs to know: whether these are the ids of users. */
export function doubtsOf(lines: readonly PeopleLine[]): string[] {
  return [
    ...new Set(lines.flatMap(({ whole, doubtful = [] }) => (whole === undefined ? doubtful : [whole, ...doubtful]))),
  ];
}

/** The distinct names. Throws a PeopleError with the lines that a user's id makes ambiguous. */
export function namesOf(lines: readonly PeopleLine[], isUser: (id: string) => boolean): string[] {
  const ambiguous = lines.filter(({ doubtful = [] }) => doubtful.some(isUser));
  if (ambiguous.length > 0) throw new PeopleError(ambiguous);
  return [...new Set(lines.flatMap(({ whole, names }) => (whole !== undefined && isUser(whole) ? [whole] : names)))];
}

/** A comment begins a line or follows a space; the address of `Team #1 <team@example.com>` is not part of one. */
const comment = /^\s*#.*|\s#(?!.*<[^<>]*@[^<>]*>).*/;

function toTextLine(text: string, index: number): TextLine {
  return { line: index + 1, text: text.replace(comment, '').trim() };
}

/** The names are undefined if the line cannot be read. */
type ReadLine = Omit<PeopleLine, 'names'> & { readonly names: readonly string[] | undefined };

/** Titles of columns with ids, then with e-mail addresses, in the form for comparison. */
const knownTitles = [
  ['userid', 'user', 'id'],
  ['email', 'emailaddress', 'mail'],
];

function isTitle(cell: string): boolean {
  return knownTitles.flat().includes(plainTitle(unquoted(cell) ?? cell));
}

/** A table: the id of each row or, where it is empty, the e-mail address. */
function readColumns(text: string, all: readonly TextLine[]): ReadLine[] {
  const { titles, rows } = readTable(text);
  const columns = knownTitles.flatMap((known) => titles.find((title) => known.includes(plainTitle(title))) ?? []);
  return rows.map(({ line, values }) => {
    const cell = columns.map((column) => values.get(column)?.trim() ?? '').find((value) => value !== '') ?? '';
    const name = nameOf(cell);
    return { line, text: all[line - 1]?.text ?? '', names: name === undefined ? undefined : [name] };
  });
}

function readList(lines: readonly TextLine[], isTitled: boolean): ReadLine[] {
  return lines.map((line, index) => {
    const { text } = line;
    const read = isTitled && index === 0 ? { names: [] } : (readRecipients(text) ?? { names: readNames(text) });
    const isCertain = read.names?.length === 1 && read.names[0] === text;
    return { ...line, ...read, ...(isUserId(text) && !isCertain && { whole: text }) };
  });
}

/** The addresses that Outlook copies: it divides by semicolons, and puts commas into names. Undefined if it is something else. */
function readRecipients(text: string): Pick<PeopleLine, 'names' | 'doubtful'> | undefined {
  const recipients = cellsOf(text, ';\t');
  const names = recipients.map(recipientOf);
  const isDivided = recipients.length > 1 || text.endsWith(';');
  if (!isDivided || !names.every((name) => name !== undefined)) return undefined;
  const before = recipients.flatMap((recipient) => cellsOf(recipient, ',').slice(0, -1));
  return { names, doubtful: before.map(withoutApostrophes).filter(isUserId) };
}

function readNames(text: string): readonly string[] | undefined {
  if (cellsOf(text, ';\t').some(isAmbiguous)) return undefined;
  const names = cellsOf(text, ',;\t').map(nameOf);
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** `Tanaka, Mei <mei@example.com>` could be one person or two. */
function isAmbiguous(cell: string): boolean {
  const parts = cellsOf(cell, ',');
  return parts.some((part, index) => isUserId(part) && !part.includes('@') && parts[index + 1]?.endsWith('>'));
}

/** The cells that are not empty, divided by any of these characters outside quotation marks. */
function cellsOf(text: string, delimiters: string): string[] {
  const cells = text.match(new RegExp(`(?:"[^"]*"|[^"${delimiters}])+|"`, 'g')) ?? [];
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '' && cell !== '""');
}

function nameOf(cell: string): string | undefined {
  const inner = unquoted(cell);
  if (inner !== undefined) return nameOf(inner.trim());
  const name = withoutApostrophes(cell);
  return isUserId(name) ? name : recipientOf(name);
}

function unquoted(cell: string): string | undefined {
  return /^"((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"');
}

/** RFC 5321 section 4.5.3.1.3, without the angle brackets. */
const maxAddressLength = 254;

/** What could be an e-mail address: the service finds users by the exact address. */
function isAddress(text: string): boolean {
  return text.length <= maxAddressLength && /^[^\s<>",;@]+@[^\s<>",;@]+$/.test(text);
}

/** The address of `address`, `<address>` or `Name <address>`. The name must not contain another address, or begin a comment. */
function recipientOf(cell: string): string | undefined {
  if (isAddress(cell)) return cell;
  const [, before = '', address = ''] = /^([^<>]*)<([^<>]*)>$/.exec(cell) ?? [];
  const name = before.replace(/["']/g, '').trim();
  const isOther = name.includes('@') && name.toLowerCase() !== address.toLowerCase();
  return isAddress(address) && !isOther && !/\s#/.test(name) ? address : undefined;
}
