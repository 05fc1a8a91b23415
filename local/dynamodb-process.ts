import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { delimiter, dirname, join, relative } from 'node:path';
import { findFreePort } from './listen.ts';
import { LocalError } from './local-error.ts';
import { indexStreamRecords } from './stream-records.ts';

const packagedEmulator = join(import.meta.dirname, '../node_modules/@dynoxide/linux-x64/dynoxide');
/** The file of tables in memory, beside the emulator's. */
export const memoryFile = 'tables.jsonl';

const startTimeoutMs = 10_000;
const stopTimeoutMs = 2_000;
/** The emulator is not restarted after this many crashes within the window. */
const maxCrashes = 3;
const crashWindowMs = 10_000;

/** A running emulator, or the tables in memory that take its place. */
export interface DynamodbProcess {
  readonly endpoint: string;
  /** The emulator's data file; undefined in memory. */
  readonly databaseFile: string | undefined;
  /** The emulator's process id; undefined between a crash and the restart, and without an emulator. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** How to run the emulator and report its failures. */
export interface DynamodbOptions {
  /** The emulator's data file, beside which tables in memory have theirs. Default: nothing is kept. */
  readonly file?: string | undefined;
  readonly log: (line: string) => void;
  /** Called when the emulator has crashed too often and is not restarted. */
  readonly onGiveUp: (error: LocalError) => void;
}

/**
 * Runs the DynamoDB emulator on a free port of 127.0.0.1, and restarts it on that port after a crash. It cannot outlive
 * this process. Acknowledged writes survive, because every commit is synced to disk. On a machine without the emulator tables in
 * memory take its place.
 */
export async function startDynamodb(options: DynamodbOptions): Promise<DynamodbProcess> {
  if (options.file !== undefined) await mkdir(dirname(options.file), { recursive: true });
  const emulator = findEmulator();
  if (emulator === undefined) return startInMemory(options);
  const supervisor = new Supervisor(emulator, options);
  return {
    endpoint: await supervisor.start(),
    databaseFile: options.file,
    pid: () => supervisor.child?.pid,
    stop: () => supervisor.stop(),
  };
}

/** The emulator of this project's packages, which has them for Linux x64 only, or one that is installed as `dynoxide`. */
export function findEmulator(): string | undefined {
  // What ties it to this process needs a shell.
  if (process.platform === 'win32') return undefined;
  const installed = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'dynoxide'));
  return [packagedEmulator, ...installed].find((path) => existsSync(path));
}

async function startInMemory({ file, log }: DynamodbOptions): Promise<DynamodbProcess> {
  const { serveMemoryTables } = await import('./serve-memory-tables.ts');
  const ownFile = file && join(dirname(file), memoryFile);
  const kept = ownFile === undefined ? '' : `, kept in ${relative('', ownFile)}`;
  log(`There is no DynamoDB emulator for this machine: a table in memory takes its place${kept}.`);
  const { endpoint, close } = await serveMemoryTables(ownFile);
  return { endpoint, databaseFile: undefined, pid: () => undefined, stop: close };
}

class Supervisor {
  child: ChildProcess | undefined;
  readonly #emulator: string;
  readonly #options: DynamodbOptions;
  readonly #listening = Promise.withResolvers<string>();
  #running = Promise.resolve();
  #endpoint: string | undefined;
  #crashes: number[] = [];
  #isStopping = false;

  constructor(emulator: string, options: DynamodbOptions) {
    this.#emulator = emulator;
    this.#options = options;
  }

  /** Returns the endpoint, which does not change after a restart. */
  async start(): Promise<string> {
    this.#running = this.#keepRunning().catch(this.#listening.reject);
    return await this.#listening.promise;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.child?.kill('SIGTERM');
    const timeout = setTimeout(() => this.child?.kill('SIGKILL'), stopTimeoutMs);
    await this.#running;
    clearTimeout(timeout);
  }

  async #keepRunning(): Promise<void> {
    const { file, log } = this.#options;
    let port = 0;
    while (!this.#isStopping) {
      if (this.#endpoint === undefined) port = await findFreePort();
      this.child = launch(this.#emulator, ['--port', String(port), ...(file === undefined ? [] : ['--db-path', file])]);
      const lastLine = await untilClosed(this.child, () => {
        this.#index();
        this.#endpoint = `http://127.0.0.1:${port}`;
        this.#listening.resolve(this.#endpoint);
      });
      this.child = undefined;
      if (this.#isStopping) return;
      if (this.#crashesTooOften()) return this.#giveUp(lastLine);
      log(`DynamoDB exited unexpectedly; restarting. ${lastLine}`.trimEnd());
    }
  }

  #index(): void {
    const { file, log } = this.#options;
    try {
      if (file !== undefined) indexStreamRecords(file);
    } catch (error) {
      log(`Writes will slow down over time because the DynamoDB stream index could not be created: ${error}`);
    }
  }

  #crashesTooOften(): boolean {
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => at > now - crashWindowMs), now];
    return this.#crashes.length >= maxCrashes;
  }

  #giveUp(lastLine: string): void {
    const error = new LocalError(
      `DynamoDB crashed ${maxCrashes} times within 10 s. To repair it, try npm start -- --reset. ${lastLine}`,
    );
    if (this.#endpoint === undefined) this.#listening.reject(error);
    else this.#options.onGiveUp(error);
  }
}

/**
 * The shell starts a watcher in the background and replaces itself with the emulator. The watcher kills the emulator at
 * end of file on descriptor 3, which occurs when this process exits for any reason; a line on it ends only the watcher.
 * The emulator runs in its own session, because the terminal's Ctrl-C would look like a crash.
 */
const tiedToParent = '(read -r _ <&3 || kill -9 $$) >/dev/null 2>&1 & exec "$0" "$@" 3<&-';

function launch(emulator: string, args: readonly string[]): ChildProcess {
  return spawn('/bin/sh', ['-c', tiedToParent, emulator, '--host', '127.0.0.1', ...args], {
    detached: true,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

/**
 * Reports when the emulator is listening, and returns its last stderr line when it exits. Once listening, it does not
 * keep this process alive.
 */
async function untilClosed(child: ChildProcess, onListening: () => void): Promise<string> {
  const [stdout, stderr, lifeline] = child.stdio.slice(1) as [Socket, Socket, Socket];
  const timeout = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  let stderrTail = '';
  stdout.resume();
  stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = `${stderrTail}${text}`.slice(-1000);
    if (!stderrTail.includes('listening on')) return;
    stderrTail = '';
    clearTimeout(timeout);
    for (const handle of [child, stdout, stderr, lifeline]) handle.unref();
    onListening();
  });
  lifeline.on('error', () => undefined).resume();
  child.once('exit', () => lifeline.end('\n'));
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearTimeout(timeout);
  return stderrTail.trim().split('\n').at(-1) ?? '';
}
