import { PassThrough } from 'node:stream';
import { runCommandLine } from '../../cli/program.ts';

export interface HereOptions {
  /** The folder whose `.local/example.json` names the service. */
  readonly cwd: string;
  /** Whether standard input, output and error are a terminal. */
  readonly tty?: boolean;
  /** The width that the terminal reports. Default: none. */
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** The input typed at a prompt. */
  readonly typed?: string;
}

/** Runs the command line in this process, optionally on a simulated terminal. */
export async function runHere(args: readonly string[], { cwd, tty = false, columns, env = {}, typed }: HereOptions) {
  const [stdout, stderr] = [collect(tty, columns), collect(tty, columns)];
  const stdin = Object.assign(new PassThrough(), { isTTY: tty });
  if (typed !== undefined) stderr.stream.once('data', () => stdin.write(typed));
  const code = await runCommandLine(args, {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    argv: ['node', '/usr/bin/auth-service', ...args],
    execArgv: [],
    env,
    cwd: () => cwd,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(isTTY: boolean, columns: number | undefined) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  let seen = '';
  stream.on('data', (chunk) => {
    seen += chunk;
  });
  return { stream, text: () => seen };
}
