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
  /** Permissions before the umask applies. Default: only the owner may read and write. */
  readonly mode?: number;
  /** Whether an existing file is an error. Default: it is replaced. */
  readonly isNew?: boolean;
  /** Whether to flush it to disk before the rename, so that it survives a power failure. Default: yes. */
  readonly isDurable?: boolean;
}

/** A file written under a temporary name and renamed when complete. */
export class WholeFile {
  readonly #path: string;
  /** The temporary name; a device or pipe is written to directly, because it cannot be replaced. */
  readonly #unfinished: string;
  readonly #file: number;
  readonly #isDurable: boolean;
  #isOpen = true;

  constructor(path: string, { mode = 0o600, isNew = false, isDurable = true }: WholeFileOptions = {}) {
    const existing = statSync(path, { throwIfNoEntry: false });
    if (isNew && existing !== undefined) throw new Error('it already exists');
    const isReplaced = existing === undefined || existing.isFile();
    this.#isDurable = isDurable && isReplaced;
    // A symbolic link is kept and its target replaced.
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

  /** Removes the unfinished file; the file it would have replaced stays. */
  discard(): void {
    this.#close();
    if (this.#unfinished !== this.#path) rmSync(this.#unfinished, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** Removes temporary files of processes that were killed while writing this file: they may hold a secret. */
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
    // EPERM: it is running under another user.
    return Object(error).code === 'EPERM';
  }
}

/** Writes a file atomically. */
export function writeWhole(path: string, content: string | Uint8Array, options: WholeFileOptions = {}): void {
  const file = new WholeFile(path, options);
  try {
    file.write(content);
    file.finish();
  } finally {
    file.discard();
  }
}
