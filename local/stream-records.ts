import { DatabaseSync } from 'node:sqlite';

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

/**
 * Deletes the records of a table's stream before a sequence number, which the emulator would keep for ever. The one of that
 * number stays: the emulator continues from the highest that is left.
 */
export function trimStreamRecords(file: string, tableName: string, before: string): void {
  change(file, (database) =>
    database
      .prepare(
        'DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER)',
      )
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
