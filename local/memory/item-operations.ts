import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { ValidationError } from './expressions.ts';
import {
  type Item,
  joined,
  keyOf,
  type MemoryTable,
  targetOf,
  type Write,
  type WriteInput,
  type WriteKind,
  writeOf,
} from './memory-table.ts';
import { scanTable } from './scan-table.ts';

/** An item in the wire format. */
export type WireItem = Record<string, AttributeValue>;

/** The members of a request that contain items, in the wire format. */
interface WireInput {
  readonly Key?: WireItem;
  readonly Item?: WireItem;
  readonly ExpressionAttributeValues?: WireItem;
  readonly ExclusiveStartKey?: WireItem;
}

/** An error that DynamoDB answers, by its name, with the members that its answer has beside the message. */
export class OperationError extends Error {
  readonly details: object;

  constructor(name: string, message: string, details: object = {}) {
    super(message);
    this.name = name;
    this.details = details;
  }
}

/** The operations on the items of one table: inputs in the wire format, outputs with items in the document client's. */
const operations = {
  BatchGetItem: (table: MemoryTable, input: object) => batchGet(table, input as BatchGetInput),
  BatchWriteItem: (table: MemoryTable, input: object) => batchWrite(table, input as BatchWriteInput),
  DeleteItem: (table: MemoryTable, input: object) => writeOne(table, { kind: 'Delete', input: plain(input) }),
  GetItem: (table: MemoryTable, input: object) => shown(table.get(plain<WriteInput>(input).Key ?? {})),
  PutItem: (table: MemoryTable, input: object) => writeOne(table, { kind: 'Put', input: plain(input) }),
  Query: (table: MemoryTable, input: object) => page(table.query(plain(input))),
  Scan: (table: MemoryTable, input: object) => page(scanTable(table, plain(input))),
  TransactWriteItems: (table: MemoryTable, input: object) => transact(table, input as TransactInput),
  UpdateItem: (table: MemoryTable, input: object) => writeOne(table, { kind: 'Update', input: plain(input) }),
};

/** The name of such an operation, as in the header `X-Amz-Target`. */
export type ItemOperation = keyof typeof operations;

export function isItemOperation(name: string): name is ItemOperation {
  return Object.hasOwn(operations, name);
}

/** Returns the answer of a table; throws an `OperationError`, and for an invalid request a `ValidationError`. */
export function runItemOperation(table: MemoryTable, operation: ItemOperation, input: object): object {
  return operations[operation](table, input);
}

/** The names of the tables in a request. */
export function tableNamesOf(input: object): string[] {
  const {
    TableName,
    RequestItems = {},
    TransactItems = [],
  } = input as {
    readonly TableName?: string;
    readonly RequestItems?: object;
    readonly TransactItems?: readonly Record<string, { readonly TableName: string }>[];
  };
  const named = TransactItems.flatMap((entry) => Object.values(entry).map((write) => write.TableName));
  return [...new Set([...(TableName === undefined ? [] : [TableName]), ...Object.keys(RequestItems), ...named])];
}

interface BatchGetInput {
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly WireItem[] }>>;
}

function batchGet(table: MemoryTable, { RequestItems }: BatchGetInput): object {
  const responses = Object.entries(RequestItems).map(([name, { Keys }]) => {
    const keys = Keys.map((key) => keyOf(unmarshall(key)));
    if (keys.length === 0 || keys.length > 100) throw new ValidationError('A batch has 1 to 100 keys');
    if (new Set(keys.map(joined)).size < keys.length)
      throw new ValidationError('Provided list of item keys contains duplicates');
    return [name, keys.flatMap((key) => table.get(key) ?? [])];
  });
  return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
}

interface BatchWriteInput {
  readonly RequestItems: Readonly<
    Record<string, readonly { readonly PutRequest?: WireInput; readonly DeleteRequest?: WireInput }[]>
  >;
}

/** Each item for itself. */
function batchWrite(table: MemoryTable, { RequestItems }: BatchWriteInput): object {
  for (const { PutRequest, DeleteRequest } of Object.values(RequestItems).flat()) {
    if (PutRequest !== undefined) table.writeAll([{ kind: 'Put', input: plain(PutRequest) }]);
    if (DeleteRequest !== undefined) table.writeAll([{ kind: 'Delete', input: plain(DeleteRequest) }]);
  }
  return { UnprocessedItems: {} };
}

function writeOne(table: MemoryTable, write: Write): object {
  const { kind, input } = write;
  if (kind === 'Update' && input.UpdateExpression === undefined)
    throw new ValidationError('An update needs an UpdateExpression');
  const before = table.get(targetOf(write));
  for (const item of table.writeAll([write]).values()) {
    throw new OperationError('ConditionalCheckFailedException', 'The conditional request failed', shown(item));
  }
  const after = table.get(targetOf(write));
  const returned = { NONE: undefined, ALL_OLD: before, ALL_NEW: after, UPDATED_NEW: after && written(input, after) };
  const Attributes = returned[(input.ReturnValues ?? 'NONE') as keyof typeof returned];
  return Attributes === undefined ? {} : { Attributes };
}

/** The attributes that the update names. */
function written({ UpdateExpression = '', ExpressionAttributeNames: names = {} }: WriteInput, item: Item): Item {
  const named = new Set((UpdateExpression.match(/#?\w+/g) ?? []).map((name) => names[name] ?? name));
  return Object.fromEntries(Object.entries(item).filter(([name]) => named.has(name)));
}

interface TransactInput {
  readonly TransactItems: readonly Partial<Record<WriteKind, WireInput>>[];
}

function transact(table: MemoryTable, { TransactItems }: TransactInput): object {
  const writes = TransactItems.map((entry) => {
    const { kind, input } = writeOf(entry as Parameters<typeof writeOf>[0]);
    return { kind, input: plain<WriteInput>(input) };
  });
  if (writes.length === 0 || writes.length > 100) throw new ValidationError('A transaction has 1 to 100 entries');
  const targets = writes.map((write) => joined(targetOf(write)));
  if (new Set(targets).size < targets.length) throw new ValidationError('An item occurs twice in the transaction');
  const refused = table.writeAll(writes);
  if (refused.size === 0) return {};
  const CancellationReasons = writes.map((_, n) =>
    refused.has(n)
      ? { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', ...shown(refused.get(n)) }
      : { Code: 'None' },
  );
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  throw new OperationError('TransactionCanceledException', message, { CancellationReasons });
}

function page({ Items, ...next }: { readonly Items: readonly Item[]; readonly LastEvaluatedKey?: Item }): object {
  return { Items, Count: Items.length, ScannedCount: Items.length, ...next };
}

function shown(item: Item | undefined): object {
  return item === undefined ? {} : { Item: item };
}

/** The input with its values in the document client's format. */
function plain<Input extends object>(input: object): Input {
  const given = input as WireInput;
  const members = ['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey'] as const;
  const values = members.flatMap((name) => (given[name] === undefined ? [] : [[name, unmarshall(given[name])]]));
  return { ...input, ...Object.fromEntries(values) };
}

/** Returns an item in the wire format. */
export function wire(item: Item): WireItem {
  return marshall(item, { removeUndefinedValues: true, convertClassInstanceToMap: true });
}

/** An output, or the details of an error, in the wire format. */
export function wireOutput(output: object): object {
  return Object.fromEntries(Object.entries(output).map(([name, value]) => [name, wireMember(name, value)]));
}

function wireMember(name: string, value: unknown): unknown {
  if (name === 'Items') return (value as Item[]).map(wire);
  if (name === 'Responses') return mapped(value as Record<string, Item[]>, (items) => items.map(wire));
  if (name === 'CancellationReasons') return (value as object[]).map(wireOutput);
  return ['Item', 'Attributes', 'LastEvaluatedKey'].includes(name) ? wire(value as Item) : value;
}

function mapped<Value>(values: Readonly<Record<string, Value>>, change: (value: Value) => unknown): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
