import { DatabaseSync } from 'node:sqlite';
import { pageSize } from './stream-client.ts';

/** How long to wait for a transaction of the emulator, which waits 5 s for one of this process. */
const lockMilliseconds = 1000;

/**
 * Adds the index by which the emulator finds the last record of a table's stream. Without it, each write scans all
 * records (decision 0030). Can run while the emulator is using the file.
 */
export function indexStreamRecords(file: string): void {
  change(file, (database) =>
    database.exec(
      'CREATE INDEX IF NOT EXISTS local_stream_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    ),
  );
}

/** The stream to trim, and the number of its readers. */
export interface StreamTrimmerOptions {
  /** The emulator's file. */
  readonly file: string;
  readonly tableName: string;
  readonly readers: number;
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Deletes stream records that every reader has processed, a thousand at a time; the emulator would keep them forever.
 * The last one is kept, because the emulator numbers new records from the highest that remains.
 */
export class StreamTrimmer {
  readonly #options: StreamTrimmerOptions;
  readonly #positions = new Map<string, bigint>();
  #trimmedBefore = 0n;

  constructor(options: StreamTrimmerOptions) {
    this.#options = options;
  }

  /** Records the saved position of a reader, where a later run continues. */
  noteSaved(reader: string, sequenceNumber: string): void {
    const { file, tableName, readers, log } = this.#options;
    this.#positions.set(reader, BigInt(sequenceNumber));
    if (this.#positions.size < readers) return;
    const before = [...this.#positions.values()].reduce((least, each) => (each < least ? each : least));
    if (before - this.#trimmedBefore < pageSize) return;
    try {
      trimStreamRecords(file, tableName, before);
      this.#trimmedBefore = before;
    } catch (error) {
      log?.(`Could not delete delivered stream records; retrying later: ${error}`);
    }
  }
}

function trimStreamRecords(file: string, tableName: string, before: bigint): void {
  change(file, (database) =>
    database
      .prepare('DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < ?')
      .run(tableName, before),
  );
}

function change(file: string, apply: (database: DatabaseSync) => unknown): void {
  const database = new DatabaseSync(file, { timeout: lockMilliseconds });
  try {
    apply(database);
  } finally {
    database.close();
  }
}
