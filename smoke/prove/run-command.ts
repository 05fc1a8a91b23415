import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ProofContext } from './proof-step.ts';

const root = join(import.meta.dirname, '../..');

/** A command that failed, with what it printed. */
export class CommandError extends Error {
  readonly output: string;

  constructor(command: string, code: number | null, output: string) {
    const lines = output.trim().split('\n');
    const telling = lines.filter((line) => /error|failed/i.test(line));
    const shown = (telling.length > 0 ? telling.slice(0, 2) : lines.slice(-2)).map((line) => line.trim()).join(' | ');
    super(`${command}: exit code ${code}: ${shown.slice(0, 500)}`);
    this.output = output;
  }
}

/**
 * Runs a program of this project in its folder, and returns its standard output. Throws unless it exits with 0. The program gets a
 * process group of its own, so that Ctrl-C ends it only by way of the signal, and its children with it.
 */
export async function runCommand(
  { signal, log }: Pick<ProofContext, 'signal' | 'log'>,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  signal.throwIfAborted();
  const command = [program, ...args].join(' ');
  log(`$ ${command}\n`);
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  let [output, stdout] = ['', ''];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (stream === child.stdout) stdout += text;
      log(text);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (code !== 0) throw new CommandError(command, code, output);
  return stdout;
}
