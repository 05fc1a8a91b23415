import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, 'simulate.ts');

/** What `npm run simulate -- …` prints, and its exit code. */
export async function runSimulate(...given: readonly string[]): Promise<{ stdout: string; code: number }> {
  const argv = ['--disable-warning=ExperimentalWarning', program, ...given];
  return promisify(execFile)(process.execPath, argv, { maxBuffer: 2 ** 27 }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: number }) => ({ stdout, code }),
  );
}
