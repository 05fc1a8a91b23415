import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SeededExample } from '../local/seed-example.ts';
import { createManageClient } from '../local/sigv4-client.ts';
import { synthesize } from '../local/synthesize.ts';
import { fillDatabase } from './filled-database.ts';
import type { BenchContext } from './measurement.ts';
import type { Population } from './populations.ts';
import type { LoadTarget } from './send-load.ts';

/** `npm start` in its own process. */
export interface LocalService {
  readonly example: SeededExample;
  /** Megabytes of resident memory of its process and of the database's. */
  memory(): { readonly service: number; readonly database: number };
  /** Microseconds of CPU that its process and the database's have taken so far, in hundredths of a second. */
  cpuMicroseconds(): { readonly service: number; readonly database: number };
  stop(): Promise<void>;
}

/** Starts it with a filled table. */
export async function startFilledService(population: Population, context: BenchContext): Promise<LocalService> {
  const assembly = await synthesize({ folder: join(context.directory, 'cdk.out') });
  const database = await fillDatabase({ 'auth-service': population }, { ...context, assembly });
  context.progress('Starting npm start');
  const service = await startLocalService(join(context.directory, 'data'), database.dynamodb);
  const stop = async () => {
    await service.stop();
    await database.close();
  };
  return { ...service, stop };
}

/** Starts it on free ports, with its data in a new folder or in the database at an endpoint; resolves when it is ready. */
export async function startLocalService(folder: string, dynamodb?: string): Promise<LocalService> {
  const script = join(import.meta.dirname, '../local/start.ts');
  const ownAddresses = { PORT: '0', MANAGE_PORT: undefined, OIDC_PORT: undefined, DYNAMODB_ENDPOINT: dynamodb };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, `--data=${folder}`], {
    env: { ...process.env, ...ownAddresses },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => line.startsWith('Ready after') && resolve());
  const code = await Promise.race([ready, exited]);
  if (code !== undefined) throw new Error(`npm start exited with ${code}`);
  const pid = child.pid ?? 0;
  return {
    example: JSON.parse(readFileSync(join(folder, 'example.json'), 'utf8')),
    memory: () => ({ service: megabytesOf(pid), database: megabytesOf(childOf(pid)) }),
    cpuMicroseconds: () => ({ service: cpuMicrosecondsOf(pid), database: cpuMicrosecondsOf(childOf(pid)) }),
    stop: async () => {
      child.kill('SIGINT');
      await exited;
    },
  };
}

/** Creates users in the example application. */
export async function createUsers(example: SeededExample, count: number): Promise<LoadTarget> {
  const send = createManageClient(example.manageUrl, example);
  const userIds = Array.from({ length: count }, (_, at) => `load-${at}`);
  for (const userId of userIds) {
    const { status } = await send('PUT', `/users/${userId}`, {});
    if (status !== 201) throw new Error(`Creating ${userId} got ${status}`);
  }
  return { ...example, userIds };
}

/** The emulator, the only child process of a started service. */
function childOf(pid: number): number {
  const [first = '0'] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return Number(first);
}

/** Resident memory (proc(5)). */
function megabytesOf(pid: number): number {
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** The time of all threads in user and kernel mode, which Linux reports in hundredths of a second (proc(5): utime, stime). */
function cpuMicrosecondsOf(pid: number): number {
  // The name of the command, in brackets, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
