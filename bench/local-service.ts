import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SeededExample } from '../local/seed-example.ts';

/** `npm start` in a process of its own. */
export interface LocalService {
  readonly example: SeededExample;
  /** Megabytes of RAM that its process and the database's hold now. */
  memory(): { readonly service: number; readonly database: number };
  stop(): Promise<void>;
}

/** Whatever the bench was started with: a run of its own, on any ports. */
const ownAddresses = { PORT: '0', MANAGE_PORT: undefined, OIDC_PORT: undefined, DYNAMODB_ENDPOINT: undefined };

/** Starts it on free ports, with its data in a folder of its own, and waits until it is ready. */
export async function startLocalService(folder: string): Promise<LocalService> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../local/start.ts'), `--data=${folder}`],
    {
      env: { ...process.env, ...ownAddresses },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => line.startsWith('Ready after') && resolve());
  const code = await Promise.race([ready, exited]);
  if (code !== undefined) throw new Error(`npm start ended by ${code}`);
  const pid = child.pid ?? 0;
  return {
    example: JSON.parse(readFileSync(join(folder, 'example.json'), 'utf8')),
    memory: () => ({ service: megabytesOf(pid), database: megabytesOf(childOf(pid)) }),
    stop: async () => {
      child.kill('SIGINT');
      await exited;
    },
  };
}

/** The emulator; it is the only process that a started service keeps. */
function childOf(pid: number): number {
  const [first = '0'] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return Number(first);
}

/** Resident memory (proc(5)). */
function megabytesOf(pid: number): number {
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
