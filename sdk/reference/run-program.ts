import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const project = join(import.meta.dirname, '../..');

/** How a program is run, and what has it if it is not installed. */
interface Running {
  /** Such as `the Debian package golang-go`. */
  readonly from: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program; rejects with what it says if it fails, and with what to install if it is missing. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { from, cwd = project, env }: Running,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    return await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { code, stdout = '', stderr = '' } = Object(error);
    if (code === 'ENOENT') throw new Error(`${program} is not installed: install ${from}`);
    throw new Error(`${program} failed:\n${stdout}${stderr}`.trimEnd());
  }
}
