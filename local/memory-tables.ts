import type {
  CreateTableCommandInput,
  TransactWriteItemsCommandInput,
  UpdateTimeToLiveCommandInput,
} from '@aws-sdk/client-dynamodb';
import { ValidationError } from './memory/expressions.ts';
import { isItemOperation, OperationError, runItemOperation, tableNamesOf } from './memory/item-operations.ts';
import { StoredTable } from './stored-table.ts';
import type { StreamRecord } from './stream-client.ts';
import { type Entry, readEntries, TableFile, writeEntries } from './table-file.ts';

/** How long the token of a transaction is known (DynamoDB API reference, TransactWriteItems). */
const tokenMilliseconds = 600_000;

interface Named {
  readonly TableName: string;
}

interface ShardPosition {
  readonly StreamArn: string;
  readonly SequenceNumber?: string;
}

/** DynamoDB in memory: the operations of tables, items and streams, by their names. */
export class MemoryTables {
  readonly #tables = new Map<string, StoredTable>();
  /** The transactions of the last minutes by their tokens, oldest first. */
  readonly #tokens = new Map<string, { readonly at: number; readonly content: string }>();
  readonly #file: TableFile | undefined;

  /** Empty, or as the file says, which is then written anew without what no reader needs any more. */
  constructor(path?: string) {
    if (path === undefined) return;
    for (const entry of readEntries(path)) this.#repeat(entry);
    const now = new Date();
    writeEntries(
      path,
      [...this.#tables.values()].flatMap((table) => table.entries(now)),
    );
    this.#file = new TableFile(path);
  }

  close(): void {
    this.#file?.close();
  }

  /** Returns the answer, for items in the document client's format; throws the error that DynamoDB would answer. */
  run(operation: string, input: object): object {
    if (isItemOperation(operation)) return this.#runOnItems(operation, input);
    const run = this.#operations[operation];
    if (run === undefined) throw new OperationError('UnknownOperationException', `${operation} is not supported`);
    return run(input);
  }

  readonly #operations: Readonly<Record<string, (input: object) => object>> = {
    CreateTable: (input) => {
      const request = input as CreateTableCommandInput;
      const name = request.TableName ?? '';
      if (this.#tables.has(name)) throw new OperationError('ResourceInUseException', `Table already exists: ${name}`);
      const entry = { kind: 'table' as const, request, createdAt: Math.floor(Date.now() / 1000) };
      this.#append(entry);
      return { TableDescription: this.#repeat(entry).describe() };
    },
    ListTables: () => ({ TableNames: [...this.#tables.keys()] }),
    DescribeTable: (input) => ({ Table: this.#table((input as Named).TableName).describe() }),
    DescribeTimeToLive: (input) => {
      const { timeToLive } = this.#table((input as Named).TableName);
      const TimeToLiveStatus = timeToLive?.Enabled ? 'ENABLED' : 'DISABLED';
      return { TimeToLiveDescription: { TimeToLiveStatus, AttributeName: timeToLive?.AttributeName } };
    },
    UpdateTimeToLive: (input) => {
      const { TableName = '', TimeToLiveSpecification } = input as UpdateTimeToLiveCommandInput;
      if (TimeToLiveSpecification === undefined) throw new ValidationError('No specification');
      const entry = { kind: 'ttl' as const, table: TableName, specification: TimeToLiveSpecification };
      this.#table(TableName).repeat(entry);
      this.#append(entry);
      return { TimeToLiveSpecification };
    },
    DescribeStream: (input) => ({
      StreamDescription: { ...input, StreamStatus: 'ENABLED', Shards: [{ ShardId: 'shardId-00000000000000000000' }] },
    }),
    // All that an iterator says is where the next records begin.
    GetShardIterator: (position) => ({ ShardIterator: JSON.stringify(position) }),
    GetRecords: (input) => {
      const { ShardIterator, Limit = 1000 } = input as { readonly ShardIterator: string; readonly Limit?: number };
      const position: ShardPosition = JSON.parse(ShardIterator);
      const Records = this.#recordsAfter(position).slice(0, Limit);
      const SequenceNumber = Records.at(-1)?.dynamodb.SequenceNumber ?? position.SequenceNumber;
      return { Records, NextShardIterator: JSON.stringify({ ...position, SequenceNumber }) };
    },
  };

  #runOnItems(operation: Parameters<typeof runItemOperation>[1], input: object): object {
    const [name = '', ...others] = tableNamesOf(input);
    if (others.length > 0) throw new ValidationError('A request names one table');
    const { table } = this.#table(name);
    const { ClientRequestToken: token, TransactItems } = input as TransactWriteItemsCommandInput;
    if (token === undefined) return runItemOperation(table, operation, input);
    const content = JSON.stringify(TransactItems);
    const known = this.#transactionOf(token);
    if (known !== undefined && known !== content)
      throw new OperationError('IdempotentParameterMismatchException', 'The token was used for another transaction');
    if (known !== undefined) return {};
    const output = runItemOperation(table, operation, input);
    this.#tokens.set(token, { at: Date.now(), content });
    return output;
  }

  /** What was done with a token, unless that is too long ago. */
  #transactionOf(token: string): string | undefined {
    for (const [known, { at }] of this.#tokens) {
      if (at > Date.now() - tokenMilliseconds) break;
      this.#tokens.delete(known);
    }
    return this.#tokens.get(token)?.content;
  }

  #recordsAfter({ StreamArn, SequenceNumber = '' }: ShardPosition): StreamRecord[] {
    const table = [...this.#tables.values()].find((each) => each.describe().LatestStreamArn === StreamArn);
    if (table === undefined) throw new OperationError('ResourceNotFoundException', `No stream ${StreamArn}`);
    return table.recordsAfter(SequenceNumber);
  }

  #table(name: string): StoredTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new OperationError('ResourceNotFoundException', `Table: ${name} not found`);
    return table;
  }

  #repeat(entry: Entry): StoredTable {
    if (entry.kind !== 'table') {
      this.#table(entry.table).repeat(entry);
      return this.#table(entry.table);
    }
    const table = new StoredTable(entry.request, entry.createdAt, (change) => this.#append(change));
    this.#tables.set(table.name, table);
    return table;
  }

  #append(entry: Entry): void {
    this.#file?.append(entry);
  }
}
