import { styleText } from 'node:util';

export type Tone = 'bold' | 'dim' | 'red' | 'yellow';
export type Style = (text: string, tone: Tone | undefined) => string;

/** What a command runs in: `process`, or what a test puts in its place. */
export type Surroundings = Pick<NodeJS.Process, 'env' | 'cwd'> & {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
};
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** Results go to stdout, everything that is said about them to stderr. */
export interface Terminal extends Surroundings {
  readonly style: Style;
  print(...lines: readonly string[]): void;
  note(...lines: readonly string[]): void;
}

export function createTerminal(surroundings: Surroundings): Terminal {
  const { stdin, stdout, stderr, env } = surroundings;
  const write = (stream: Output, lines: readonly string[]) => {
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`);
  };
  const coloured = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: () => surroundings.cwd(),
    style: (text, tone) => (coloured && tone !== undefined ? styleText(tone, text, { validateStream: false }) : text),
    print: (...lines) => write(stdout, lines),
    note: (...lines) => write(stderr, lines),
  };
}
