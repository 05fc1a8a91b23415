import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { CreateTableCommandInput, TimeToLiveSpecification } from '@aws-sdk/client-dynamodb';
import { writeWhole } from '#shared/files/whole-file.ts';
import type { WireItem } from './memory/item-operations.ts';
import type { StreamRecord } from './stream-client.ts';

/** A line of the file. A transaction is one line, so it is there as a whole or not at all. */
export type Entry =
  | { readonly kind: 'table'; readonly request: CreateTableCommandInput; readonly createdAt: number }
  | { readonly kind: 'ttl'; readonly table: string; readonly specification: TimeToLiveSpecification }
  | { readonly kind: 'items'; readonly table: string; readonly items: readonly WireItem[]; readonly sequence: number }
  | { readonly kind: 'records'; readonly table: string; readonly records: readonly StreamRecord[] };

/**
 * The tables of a process in a file of JSON lines, in the order in which they were written. What was answered survives the
 * end of this process, and is lost with the machine's power: nothing waits for the disk.
 */
export class TableFile {
  readonly #descriptor: number;

  /** Opens a file for what `append` adds. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'a', 0o600);
  }

  append(entry: Entry): void {
    writeSync(this.#descriptor, `${JSON.stringify(entry)}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Reads a file; a last line that is incomplete was never answered. */
export function readEntries(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** Replaces a file by one with these entries alone. */
export function writeEntries(path: string, entries: readonly Entry[]): void {
  writeWhole(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}
