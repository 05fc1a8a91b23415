import { PassThrough } from 'node:stream';
import { runCommandLine } from '../../cli/program.ts';

export interface HereOptions {
  /** The folder whose `.local/example.json` names the service. */
  readonly cwd: string;
  /** Whether standard input, output and error are a terminal. */
  readonly tty?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** The input typed at a prompt. */
  readonly typed?: string;
}

/** Runs the command line in this process, optionally on a simulated terminal. */
export async function runHere(args: readonly string[], { cwd, tty = false, env = {}, typed }: HereOptions) {
  const [stdout, stderr] = [collect(tty), collect(tty)];
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

function collect(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let seen = '';
  stream.on('data', (chunk) => {
    seen += chunk;
  });
  return { stream, text: () => seen };
}
