import { DatabaseSync } from 'node:sqlite';
import { pageSize } from './stream-client.ts';

/** How long to wait for a transaction of the emulator, which waits 5 s for ours. */
const lockMilliseconds = 1000;

/**
 * Adds the index by which the emulator finds the last record of a table's stream. Without it, each write looks at all
 * records (decision 0030). For the emulator's file, while the emulator runs.
 */
export function indexStreamRecords(file: string): void {
  change(file, (database) =>
    database.exec(
      'CREATE INDEX IF NOT EXISTS local_stream_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    ),
  );
}

/** What to trim, and for how many readers. */
export interface StreamTrimmerOptions {
  /** The emulator's file. */
  readonly file: string;
  readonly tableName: string;
  readonly readers: number;
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Deletes the records of a table's stream that every reader has behind it, a thousand at once; the emulator would keep them
 * for ever. The last one of them stays: the emulator continues from the highest that is left.
 */
export class StreamTrimmer {
  readonly #options: StreamTrimmerOptions;
  readonly #positions = new Map<string, bigint>();
  #trimmedBefore = 0n;

  constructor(options: StreamTrimmerOptions) {
    this.#options = options;
  }

  /** Notes the saved position of a reader, from which a later run continues. */
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
      log?.(`The records of the stream that were delivered could not be deleted yet: ${error}`);
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
