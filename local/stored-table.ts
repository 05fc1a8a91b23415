import type { CreateTableCommandInput, TableDescription, TimeToLiveSpecification } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type WireItem, wire } from './memory/item-operations.ts';
import { MemoryTable, type Mutation } from './memory/memory-table.ts';
import type { StreamRecord } from './stream-client.ts';
import type { Entry } from './table-file.ts';

/** The records that a restart keeps, for readers that had not read them. */
const keptRecords = 10_000;

/** A table in memory with its stream. Each change becomes an entry of the file. */
export class StoredTable {
  readonly table = new MemoryTable();
  /** Oldest first. */
  readonly #records: StreamRecord[] = [];
  timeToLive: TimeToLiveSpecification | undefined;
  readonly #request: CreateTableCommandInput;
  readonly #createdAt: number;
  #sequence = 0;

  constructor(request: CreateTableCommandInput, createdAt: number, append: (entry: Entry) => void) {
    this.#request = request;
    this.#createdAt = createdAt;
    this.table.onWritten = (mutations) => {
      const changed = mutations.filter(({ before, after }) => before !== after);
      if (changed.length === 0) return;
      const records = changed.map((mutation) => this.#recordOf(mutation));
      append({ kind: 'records', table: this.name, records });
      this.#records.push(...records);
    };
  }

  get name(): string {
    return this.#request.TableName ?? '';
  }

  /** In the form of DescribeTable, with times in seconds. */
  describe(): Omit<TableDescription, 'CreationDateTime'> & { readonly CreationDateTime: number } {
    const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, StreamSpecification } = this.#request;
    const label = new Date(this.#createdAt * 1000).toISOString().slice(0, -1);
    const arn = `arn:aws:dynamodb:local:000000000000:table/${this.name}`;
    const indexes = GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexStatus: 'ACTIVE' as const }));
    return {
      TableName: this.name,
      TableStatus: 'ACTIVE',
      TableArn: arn,
      KeySchema,
      AttributeDefinitions,
      CreationDateTime: this.#createdAt,
      ...(indexes && { GlobalSecondaryIndexes: indexes }),
      ...(StreamSpecification && {
        StreamSpecification,
        LatestStreamLabel: label,
        LatestStreamArn: `${arn}/stream/${label}`,
      }),
    };
  }

  /** The records after a sequence number, all after an empty one. */
  recordsAfter(sequenceNumber: string): StreamRecord[] {
    const isLater = ({ dynamodb }: StreamRecord) => dynamodb.SequenceNumber > sequenceNumber;
    const last = this.#records.findLastIndex((record) => !isLater(record));
    return this.#records.slice(last + 1);
  }

  /** Repeats what an entry of the file says. */
  repeat(entry: Entry): void {
    if (entry.kind === 'ttl') this.timeToLive = entry.specification;
    if (entry.kind === 'items') {
      for (const item of entry.items) this.#place(item, item);
      this.#sequence = entry.sequence;
    }
    if (entry.kind !== 'records') return;
    for (const record of entry.records) {
      const { Keys, NewImage, SequenceNumber } = record.dynamodb;
      this.#place(Keys as WireItem, NewImage as WireItem | undefined);
      this.#sequence = Number(SequenceNumber);
      this.#records.push(record);
    }
  }

  /** What a new file begins with: items that have not expired, and the last records. */
  entries(now: Date): Entry[] {
    const attribute = this.timeToLive?.AttributeName ?? '';
    const expired = (item: object) => Number(Object(item)[attribute] ?? Infinity) * 1000 < now.getTime();
    const items = this.table.items().filter((item) => !expired(item));
    const ttl = this.timeToLive && { kind: 'ttl' as const, table: this.name, specification: this.timeToLive };
    // In this order: the items are what the records have led to.
    return [
      { kind: 'table', request: this.#request, createdAt: this.#createdAt },
      ...(ttl ? [ttl] : []),
      { kind: 'records', table: this.name, records: this.#records.slice(-keptRecords) },
      { kind: 'items', table: this.name, items: items.map(wire), sequence: this.#sequence },
    ];
  }

  #place(key: WireItem, image: WireItem | undefined): void {
    const { pk, sk, ...others } = unmarshall(image ?? key);
    const after = image && { pk, sk, ...others };
    const mutation = this.table.apply(
      after === undefined ? { kind: 'Delete', input: { Key: { pk, sk } } } : { kind: 'Put', input: { Item: after } },
    );
    if (mutation !== undefined) this.table.index(mutation);
  }

  #recordOf({ pk, sk, before, after }: Mutation): StreamRecord {
    this.#sequence += 1;
    const eventName = before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY';
    return {
      eventID: String(this.#sequence),
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'local',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
        Keys: wire({ pk, sk }),
        ...(before && { OldImage: wire(before) }),
        ...(after && { NewImage: wire(after) }),
        SequenceNumber: String(this.#sequence).padStart(21, '0'),
        StreamViewType: this.#request.StreamSpecification?.StreamViewType,
      },
    };
  }
}
