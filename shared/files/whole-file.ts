import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface WholeFileOptions {
  /** Permissions, less what the umask takes away. Default: its owner alone may read and write it. */
  readonly mode?: number;
  /** Whether a file that exists is an error and not replaced. Default: it is replaced. */
  readonly isNew?: boolean;
  /** Whether it is on the disk when it takes its place, and so survives a power failure. Default: it is. */
  readonly isDurable?: boolean;
}

/** A file that is written beside its place, and takes it when it is complete. */
export class WholeFile {
  readonly #path: string;
  /** Where it is until it is finished; a device or pipe is written to directly, as nothing can take its place. */
  readonly #unfinished: string;
  readonly #file: number;
  readonly #isDurable: boolean;
  #isOpen = true;

  constructor(path: string, { mode = 0o600, isNew = false, isDurable = true }: WholeFileOptions = {}) {
    const existing = statSync(path, { throwIfNoEntry: false });
    if (isNew && existing !== undefined) throw new Error('it already exists');
    const isReplaced = existing === undefined || existing.isFile();
    this.#isDurable = isDurable && isReplaced;
    // A link stays, and what it leads to is replaced.
    this.#path = existing?.isFile() ? realpathSync(path) : path;
    this.#unfinished = isReplaced ? `${this.#path}.${process.pid}-${randomUUID()}.tmp` : path;
    this.#file = openSync(this.#unfinished, isReplaced ? 'wx' : 'w', mode);
    if (isReplaced) removeLeftovers(this.#path);
  }

  write(content: string | Uint8Array): void {
    writeFileSync(this.#file, content);
  }

  finish(): void {
    if (this.#isDurable) fsyncSync(this.#file);
    this.#close();
    if (this.#unfinished !== this.#path) renameSync(this.#unfinished, this.#path);
  }

  /** Takes away what is not finished; the file that it would have replaced stays. */
  discard(): void {
    this.#close();
    if (this.#unfinished !== this.#path) rmSync(this.#unfinished, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** Removes what processes have left that were killed while they wrote this file: it may hold a secret. */
function removeLeftovers(path: string): void {
  const [folder, start] = [dirname(path), `${basename(path)}.`];
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(start) ? (/^(\d+)-[\da-f-]{36}\.tmp$/.exec(name.slice(start.length)) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else's.
    return Object(error).code === 'EPERM';
  }
}

/** Writes a file whole or not at all. */
export function writeWhole(path: string, content: string | Uint8Array, options: WholeFileOptions = {}): void {
  const file = new WholeFile(path, options);
  try {
    file.write(content);
    file.finish();
  } finally {
    file.discard();
  }
}
