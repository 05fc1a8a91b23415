import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { writeWhole } from '#shared/files/whole-file.ts';
import type { Outcome } from './lambda-function.ts';
import { localAccess } from './local-credentials.ts';
import { LocalError } from './local-error.ts';
import { type EventSourceModel, matchesFilter } from './read-event-source.ts';
import { createStreamClient, pageSize, type StreamClient, type StreamRecord } from './stream-client.ts';
import type { StreamTrimmer } from './stream-records.ts';

/** Lambda polls four times a second (Lambda guide, "Using AWS Lambda with Amazon DynamoDB"). */
const pollMilliseconds = 250;
const maxPauseMilliseconds = 5000;

/** The stream to poll, and the function that receives its records. */
export interface StreamPollOptions {
  readonly endpoint: string;
  readonly tableName: string;
  readonly source: EventSourceModel;
  readonly invoke: (event: { readonly Records: readonly StreamRecord[] }) => Promise<Outcome>;
  /** Stores the position in the stream, so that a later run continues there. Default: each run starts at the beginning. */
  readonly positionFile?: string | undefined;
  /** Deletes delivered records. Default: they are kept. */
  readonly trimmer?: StreamTrimmer | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** A running poller. */
export interface StreamPoller {
  close(): Promise<void>;
}

/**
 * Delivers a table's stream to a function as Lambda's event source mapping does: filtered, in order, in batches. After
 * a failure it retries from the first failed record with a smaller batch. Records beyond the maximum age are dropped.
 */
export async function pollStream(options: StreamPollOptions): Promise<StreamPoller> {
  const streamArn = await findStream(options);
  const poller = new Poller(options, streamArn, await readPositions(options.positionFile, streamArn));
  return { close: () => poller.close() };
}

async function findStream({ endpoint, tableName }: StreamPollOptions): Promise<string> {
  const client = new DynamoDBClient({ endpoint, ...localAccess });
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    if (Table?.LatestStreamArn === undefined) throw new LocalError(`The table ${tableName} has no stream.`);
    return Table.LatestStreamArn;
  } finally {
    client.destroy();
  }
}

/** The last processed sequence number of each shard. */
type Positions = Map<string, string>;

class Poller {
  readonly #options: StreamPollOptions;
  readonly #streamArn: string;
  readonly #positions: Positions;
  readonly #stream: StreamClient;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: StreamPollOptions, streamArn: string, positions: Positions) {
    this.#options = options;
    this.#streamArn = streamArn;
    this.#positions = positions;
    this.#stream = createStreamClient(options.endpoint);
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#ending.signal.aborted) {
      try {
        await this.#readAll();
        failures = 0;
      } catch (error) {
        // For example, while the emulator restarts.
        if (failures++ === 0) this.#options.log?.(`Reading the stream failed, retrying: ${error}`);
      }
      await this.#pause(pollMilliseconds * 2 ** Math.min(failures, 4));
    }
  }

  async #readAll(): Promise<void> {
    for (const shardId of await this.#stream.listShards(this.#streamArn)) await this.#readShard(shardId);
  }

  async #readShard(shardId: string): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const records = await this.#stream.readRecords(this.#streamArn, shardId, this.#positions.get(shardId));
      const last = records.at(-1);
      if (last === undefined) return;
      if (!(await this.#deliver(shardId, records.filter(this.#matches)))) return;
      this.#savePosition(shardId, last);
      this.#options.trimmer?.noteSaved(this.#options.source.functionId, last.dynamodb.SequenceNumber);
      // A full page may be followed by another; a short page is the last for now.
      if (records.length < pageSize) return;
    }
  }

  readonly #matches = (record: StreamRecord): boolean => {
    const { filters } = this.#options.source;
    return filters.length === 0 || filters.some((pattern) => matchesFilter(record, pattern));
  };

  /**
   * Delivers records in batches; after a failure it waits and tries half of what is left of the batch, as Lambda bisects a batch.
   * Returns false if the poller was closed before all were delivered; delivered records are not repeated.
   */
  async #deliver(shardId: string, records: readonly StreamRecord[]): Promise<boolean> {
    const { batchSize } = this.#options.source;
    let waiting = this.#withoutExpired(records);
    let size = batchSize;
    let failures = 0;
    while (waiting.length > 0) {
      if (this.#ending.signal.aborted) return false;
      const batch = waiting.slice(0, size);
      const done = countDone(batch, await this.#options.invoke({ Records: batch }));
      const last = batch[done - 1];
      if (last !== undefined) this.#savePosition(shardId, last);
      const left = batch.length - done;
      failures = left === 0 ? 0 : failures + 1;
      size = left === 0 ? batchSize : Math.max(1, Math.floor(left / 2));
      if (left > 0) await this.#pause(Math.min(50 * 2 ** failures, maxPauseMilliseconds));
      // Others may have expired during the delivery and the pause.
      waiting = this.#withoutExpired(waiting.slice(done));
    }
    return true;
  }

  /** On AWS, expired records go to the dead-letter queue. */
  #withoutExpired(records: readonly StreamRecord[]): readonly StreamRecord[] {
    const oldest = Date.now() / 1000 - this.#options.source.maxAgeSeconds;
    const kept = records.filter(({ dynamodb }) => (dynamodb.ApproximateCreationDateTime ?? Infinity) >= oldest);
    const lost = records.length - kept.length;
    if (lost > 0)
      this.#options.log?.(`Changes dropped because they were too old for ${this.#options.source.functionId}: ${lost}.`);
    return kept;
  }

  #savePosition(shardId: string, { dynamodb }: StreamRecord): void {
    this.#positions.set(shardId, dynamodb.SequenceNumber);
    const { positionFile } = this.#options;
    if (positionFile === undefined) return;
    const text = JSON.stringify({ streamArn: this.#streamArn, positions: Object.fromEntries(this.#positions) });
    // An older position only causes repeated deliveries.
    writeWhole(positionFile, text, { isDurable: false });
  }

  async #pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }
}

const positionsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ streamArn: v.string(), positions: v.record(v.string(), v.string()) }),
);

/**
 * Returns no positions if the file cannot be read or belongs to another stream, such as that of a table that was
 * recreated.
 */
async function readPositions(file: string | undefined, streamArn: string): Promise<Positions> {
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  const { success, output } = v.safeParse(positionsSchema, text);
  return new Map(success && output.streamArn === streamArn ? Object.entries(output.positions) : []);
}

const answerSchema = v.object({
  batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.nullable(v.string()) })), []),
});

/**
 * Counts the records at the start of a batch that succeeded: those before the first failed one, or 0 if the function
 * failed or its response is invalid (Lambda guide, "Configuring partial batch response").
 */
function countDone(batch: readonly StreamRecord[], outcome: Outcome): number {
  if (outcome.kind !== 'result') return 0;
  const { success, output } = v.safeParse(answerSchema, JSON.parse(outcome.json) ?? {});
  if (!success) return 0;
  const failed = (output.batchItemFailures ?? []).map(({ itemIdentifier }) =>
    batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  );
  // An unknown identifier gives -1, which fails the whole batch.
  return Math.max(0, Math.min(batch.length, ...failed));
}
