import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { findFreePort } from './listen.ts';
import { LocalError } from './local-error.ts';

/** The emulator as an executable file. */
export const emulator = join(import.meta.dirname, '../node_modules/@dynoxide/linux-x64/dynoxide');
const startTimeoutMs = 10_000;
const stopTimeoutMs = 2_000;
/** So many deaths within the window are no accident. */
const maxDeaths = 3;
const deathWindowMs = 10_000;

/** A running emulator, empty or with what its file holds. */
export interface DynamodbProcess {
  readonly endpoint: string;
  /** The emulator's process id, undefined between a death and the next start. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** How to run it, and whom to tell what happens to it. */
export interface DynamodbOptions {
  /** Where the data is kept; in memory by default. */
  readonly file?: string | undefined;
  readonly log: (line: string) => void;
  /** The emulator, once it had answered, died again and again, and is not started any more. */
  readonly onGiveUp: (error: LocalError) => void;
}

/**
 * Runs the DynamoDB emulator on a free port of 127.0.0.1 and starts it there again when it dies. It does not outlive
 * this process, however that ends; acknowledged writes survive, as each commit is synced to the file.
 */
export async function startDynamodb(options: DynamodbOptions): Promise<DynamodbProcess> {
  if (!existsSync(emulator)) throw missingEmulator();
  if (options.file !== undefined) await mkdir(dirname(options.file), { recursive: true });
  const supervisor = new Supervisor(options);
  return {
    endpoint: await supervisor.start(),
    pid: () => supervisor.child?.pid,
    stop: () => supervisor.stop(),
  };
}

class Supervisor {
  child: ChildProcess | undefined;
  readonly #options: DynamodbOptions;
  readonly #listening = Promise.withResolvers<string>();
  #running = Promise.resolve();
  #endpoint: string | undefined;
  #deaths: number[] = [];
  #isStopping = false;

  constructor(options: DynamodbOptions) {
    this.#options = options;
  }

  /** Answers the endpoint, which stays the same from then on. */
  async start(): Promise<string> {
    this.#running = this.#keepRunning().catch(this.#listening.reject);
    return await this.#listening.promise;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.child?.kill('SIGTERM');
    const patience = setTimeout(() => this.child?.kill('SIGKILL'), stopTimeoutMs);
    await this.#running;
    clearTimeout(patience);
  }

  async #keepRunning(): Promise<void> {
    const { file, log } = this.#options;
    let port = 0;
    while (!this.#isStopping) {
      if (this.#endpoint === undefined) port = await findFreePort();
      this.child = launch(['--port', String(port), ...(file === undefined ? [] : ['--db-path', file])]);
      const lastWords = await untilClosed(this.child, () => {
        this.#endpoint = `http://127.0.0.1:${port}`;
        this.#listening.resolve(this.#endpoint);
      });
      this.child = undefined;
      if (this.#isStopping) return;
      if (this.#diesTooOften()) return this.#giveUp(lastWords);
      log(`DynamoDB ended unexpectedly, starting it again. ${lastWords}`.trimEnd());
    }
  }

  #diesTooOften(): boolean {
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((at) => at > now - deathWindowMs), now];
    return this.#deaths.length >= maxDeaths;
  }

  #giveUp(lastWords: string): void {
    const error = new LocalError(
      `DynamoDB ended ${maxDeaths} times within 10 s, which a --reset may mend. ${lastWords}`,
    );
    if (this.#endpoint === undefined) this.#listening.reject(error);
    else this.#options.onGiveUp(error);
  }
}

/**
 * The shell becomes the emulator and leaves a watcher that kills it at the end of file on descriptor 3, which Linux
 * makes when this process is gone, whatever ended it; a line there ends the watcher alone. In a session of its own the
 * emulator does not get the terminal's Ctrl-C, which would look like a death.
 */
const tiedToParent = '(read -r _ <&3 || kill -9 $$) >/dev/null 2>&1 & exec "$0" "$@" 3<&-';

function launch(args: readonly string[]): ChildProcess {
  return spawn('/bin/sh', ['-c', tiedToParent, emulator, '--host', '127.0.0.1', ...args], {
    detached: true,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

/**
 * Tells when the emulator listens and, in the end, answers the last line of what it said on stderr. Once it listens, it
 * alone does not keep this process from ending.
 */
async function untilClosed(child: ChildProcess, onListening: () => void): Promise<string> {
  const [stdout, stderr, lifeline] = child.stdio.slice(1) as [Socket, Socket, Socket];
  const patience = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  let said = '';
  stdout.resume();
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-1000);
    if (!said.includes('listening on')) return;
    said = '';
    clearTimeout(patience);
    for (const handle of [child, stdout, stderr, lifeline]) handle.unref();
    onListening();
  });
  lifeline.on('error', () => undefined).resume();
  child.once('exit', () => lifeline.end('\n'));
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearTimeout(patience);
  return said.trim().split('\n').at(-1) ?? '';
}

function missingEmulator(): LocalError {
  return new LocalError(
    'The DynamoDB emulator (@dynoxide/linux-x64) is missing: run npm install on Linux x64, or set DYNAMODB_ENDPOINT to another DynamoDB.',
  );
}
