import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bareEnvironment } from '../support/environments.ts';
import { testKey } from './verify-sigv4.ts';

const main = join(import.meta.dirname, '../../cli/main.ts');

export interface CliOptions {
  readonly url?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The content of standard input. */
  readonly input?: string;
  /** Receives the process as soon as it runs. */
  readonly started?: (child: ChildProcess) => void;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The name of the program in its messages when `runCli` runs it. */
export const programOfRunCli = 'npm run -s manage --';

/** Runs the command line as a process, as `npm run -s manage --` does, with only the path and the compile cache from this environment. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { url, env = {}, cwd, input = '', started } = options;
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: {
      ...bareEnvironment,
      TZ: 'UTC',
      npm_lifecycle_event: 'manage',
      AWS_REGION: testKey.region,
      AWS_ACCESS_KEY_ID: testKey.accessKeyId,
      AWS_SECRET_ACCESS_KEY: testKey.secretAccessKey,
      AWS_EC2_METADATA_DISABLED: 'true',
      ...(url === undefined ? {} : { AUTH_SERVICE_URL: url }),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  started?.(child);
  child.stdin.on('error', () => undefined).end(input);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  // A test may close stdout itself.
  const stdoutRead = text(child.stdout).catch(() => '');
  const [stdout, stderr, code] = await Promise.all([stdoutRead, text(child.stderr), closed]);
  return { code, stdout, stderr };
}
