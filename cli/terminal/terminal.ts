import { styleText } from 'node:util';
import { type Called, programName } from './command-line.ts';

export type Tone = 'bold' | 'dim' | 'red' | 'yellow';
export type Style = (text: string, tone: Tone | undefined) => string;

/** The process that a command runs in: `process`, or a test's substitute. */
export type ProcessIo = Called & {
  readonly cwd: () => string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
};
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** Writes results to stdout (`print`) and everything else, such as progress and hints, to stderr (`note`). */
export interface Terminal extends Omit<ProcessIo, 'argv' | 'execArgv'> {
  /** The words that call this program, for the commands in messages. */
  readonly program: string;
  readonly style: Style;
  /** The width of stdout; undefined if it is not a terminal, so that nothing is truncated. */
  readonly columns: number | undefined;
  print(...lines: readonly string[]): void;
  note(...lines: readonly string[]): void;
}

/** The width of a terminal that says that it has none, such as that of `docker exec -t` or of a CI job. */
const unknownWidth = 80;

/** Colours only if stdout is a terminal that supports them and NO_COLOR is not set. */
export function createTerminal(io: ProcessIo): Terminal {
  const { stdin, stdout, stderr, env } = io;
  const write = (stream: Output, lines: readonly string[]) => {
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`);
  };
  const coloured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return {
    stdin,
    stdout,
    stderr,
    env,
    program: programName(io),
    cwd: () => io.cwd(),
    columns: stdout.isTTY === true ? stdout.columns || unknownWidth : undefined,
    style: (text, tone) => (coloured && tone !== undefined ? styleText(tone, text, { validateStream: false }) : text),
    print: (...lines) => write(stdout, lines),
    note: (...lines) => write(stderr, lines),
  };
}

/** A line on stderr that is redrawn in place and removed at the end; nothing unless stderr is a terminal. */
export function redrawnLine({ stderr }: Pick<Terminal, 'stderr'>) {
  const show = (text: string) => void (stderr.isTTY && stderr.write(`\r\u001b[K${text}`));
  return { show, end: () => show('') };
}

/** Other streams get a line only after this many parts. */
const notedParts = 10;

/**
 * How far long work is, from its first part on: on a terminal in a line that is redrawn in place and removed at the end, elsewhere in
 * a line after every tenth part.
 */
export function progressOf({ stderr, note }: Pick<Terminal, 'stderr' | 'note'>) {
  const line = redrawnLine({ stderr });
  let parts = 0;
  const show = (text: string) => {
    line.show(`${text} …`);
    if (!stderr.isTTY && parts > 0 && parts % notedParts === 0) note(`${text} …`);
    parts += 1;
  };
  return { show, end: line.end };
}

const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6])/u;
const segmenter = new Intl.Segmenter();

/** The width of a text in terminal columns; emoji and East Asian characters take two. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** The text, truncated with an ellipsis to at most this many columns. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    if (displayWidth(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Untrusted text on one line: control and bidirectional characters are replaced. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}
