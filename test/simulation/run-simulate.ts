import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { bareEnvironment } from '../support/environments.ts';

const program = join(import.meta.dirname, 'simulate.ts');

/** Starts `npm run simulate -- …`, which exits with this process or when it is disconnected. */
export function startSimulate(...given: readonly string[]) {
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  return fork(program, given, { execArgv, env: bareEnvironment, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
}

/** Runs `npm run simulate -- …` and returns its output and exit code. */
export async function runSimulate(...given: readonly string[]): Promise<{ stdout: string; code: number }> {
  const child = startSimulate(...given);
  const [stdout, [code]] = await Promise.all([text(child.stdout ?? Readable.from([])), once(child, 'exit')]);
  return { stdout, code: Number(code) };
}
