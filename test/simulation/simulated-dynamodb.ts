import { ValidationError } from '../../local/memory/expressions.ts';
import {
  type Item,
  joined,
  type Key,
  keyOf,
  MemoryTable,
  type Mutation,
  type QueryInput,
  targetOf,
  type Write,
  type WriteInput,
  type WriteKind,
  writeOf,
} from '../../local/memory/memory-table.ts';
import { type ScanInput, scanTable } from '../../local/memory/scan-table.ts';
import type { World } from './virtual-time.ts';

/** The faults of the table; probabilities from 0 to 1, times in milliseconds. */
export interface TableFaults {
  throttled: number;
  /** The probability of a 500; in half of the cases the request has taken effect. */
  failed: number;
  /** Of the keys of a batch. */
  unprocessed: number;
  /** The longest time between the reads of two items of a batch. */
  splitReadMilliseconds: number;
  /** The items of a batch are read separately in this order, at any instants. */
  splitReads?: 'forward' | 'backward';
  /** How long a transaction holds its items, at most. */
  transactionMilliseconds: number;
  indexLagMilliseconds: number;
  /** How long after its `ttl` an item is removed, at most. */
  ttlDelayMilliseconds: number;
  /** The probability that a page of a query ends before its limit. */
  shortPage: number;
}

export const calmTable: TableFaults = {
  throttled: 0,
  failed: 0,
  unprocessed: 0,
  splitReadMilliseconds: 0,
  transactionMilliseconds: 0,
  indexLagMilliseconds: 0,
  ttlDelayMilliseconds: 48 * 3_600_000,
  shortPage: 0,
};

export type OperationName =
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'Scan'
  | 'TransactWriteItems';

/** A DynamoDB error. */
export interface TableError {
  readonly name: string;
  readonly message: string;
  readonly status: number;
  /** The item that failed the condition, if requested. */
  readonly item?: Item | undefined;
  readonly reasons?: readonly CancellationReason[];
}

export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item | undefined;
}

export type TableAnswer = { readonly output: object } | { readonly error: TableError };

/** Everything that one write or transaction did at one instant. */
export interface Commit {
  readonly at: number;
  readonly by: 'transaction' | 'write' | 'ttl' | 'replication';
  readonly mutations: readonly Mutation[];
}

type Reply = (answer: TableAnswer) => void;

interface BatchGetInput {
  readonly RequestItems: Readonly<
    Record<string, { readonly Keys: readonly Item[]; readonly ConsistentRead?: boolean }>
  >;
}

interface TransactInput {
  readonly TransactItems: readonly Readonly<Partial<Record<WriteKind, WriteInput>>>[];
  readonly ClientRequestToken?: string;
}

interface KnownToken {
  readonly content: string;
  done: boolean;
}

const maxTransactWrites = 100;
const maxBatchKeys = 100;
/** DynamoDB API reference, TransactWriteItems: how long a ClientRequestToken is known. */
const tokenMilliseconds = 600_000;

/** The table behind the network: how long its requests take, and how each can fail. */
export class SimulatedDynamoDb {
  readonly table: MemoryTable;
  readonly commits: Commit[];
  /** Called with every commit. */
  readonly observers: ((commit: Commit) => void)[] = [];
  faults: TableFaults = { ...calmTable };
  readonly #world: World;
  /** The items that a transaction holds. */
  readonly #locks = new Set<string>();
  readonly #tokens = new Map<string, KnownToken>();
  readonly #indexedUntil = new Map<string, number>();

  /** Creates an empty table, or a copy of another one. */
  constructor(world: World, as?: SimulatedDynamoDb) {
    this.#world = world;
    this.table = new MemoryTable(as?.table);
    this.commits = [...(as?.commits ?? [])];
  }

  /** Receives a request; calling `reply` sends the response. */
  receive(operation: OperationName, input: object, reply: Reply): void {
    const isFailed = this.#draw(this.faults.failed);
    const answer = isFailed ? () => reply(internalError()) : reply;
    if (this.#draw(this.faults.throttled)) reply(throttled());
    else if (isFailed && this.#draw(0.5)) reply(internalError());
    else this.#run(operation, input, answer);
  }

  #run(operation: OperationName, input: object, reply: Reply): void {
    try {
      const answer = this.#execute(operation, input, reply);
      if (answer !== undefined) reply(answer);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      reply({ error: { name: error.name, message: error.message, status: 400 } });
    }
  }

  /** Returns the response, or undefined if it takes time and goes to `reply`. */
  #execute(operation: OperationName, input: object, reply: Reply): TableAnswer | undefined {
    switch (operation) {
      case 'BatchGetItem':
        return this.#batchGet(input as BatchGetInput, reply);
      case 'Query':
        requireConsistent(input as QueryInput);
        return { output: this.table.query(input as QueryInput, this.#draw(this.faults.shortPage) ? 1 : 0) };
      case 'Scan':
        return { output: scanTable(this.table, input as ScanInput) };
      case 'TransactWriteItems':
        return this.#transact(input as TransactInput, reply);
      case 'PutItem':
        return this.#writeOne({ kind: 'Put', input });
      case 'UpdateItem':
        return this.#writeOne({ kind: 'Update', input });
      case 'DeleteItem':
        return this.#writeOne({ kind: 'Delete', input });
      default:
        throw new Error(`${operation satisfies never} is not simulated`);
    }
  }

  /** Reads one item after the other, in any order: a batch read is not a snapshot. */
  #batchGet({ RequestItems }: BatchGetInput, reply: Reply): undefined {
    const [[tableName, { Keys: keys, ConsistentRead }] = ['', { Keys: [] }]] = Object.entries(RequestItems);
    if (ConsistentRead !== true) throw new Error('Only consistent reads are simulated');
    if (keys.length === 0 || keys.length > maxBatchKeys) throw new ValidationError('A batch has 1 to 100 keys');
    if (new Set(keys.map((key) => joined(keyOf(key)))).size < keys.length)
      throw new ValidationError('A key occurs twice');
    const isProcessed = keys.map(() => !this.#draw(this.faults.unprocessed));
    const remaining = this.#inReadingOrder(keys.filter((_, n) => isProcessed[n]));
    const unprocessed = keys.filter((_, n) => !isProcessed[n]);
    const UnprocessedKeys = unprocessed.length > 0 ? { [tableName]: { Keys: unprocessed, ConsistentRead } } : {};
    const found: Item[] = [];
    const readNext = (): void => {
      const key = remaining.pop();
      const item = key && this.table.get(key);
      if (item !== undefined) found.push(item);
      if (key === undefined) reply({ output: { Responses: { [tableName]: found }, UnprocessedKeys } });
      else if (this.faults.splitReads === undefined) this.#later(this.faults.splitReadMilliseconds, readNext);
      else this.#world.schedule(0, readNext, undefined, JSON.stringify([remaining, found]));
    };
    readNext();
  }

  #writeOne(write: Write): TableAnswer {
    const { kind, input } = write;
    const key = targetOf(write);
    if (this.#locks.has(joined(key))) return transactionConflict();
    if (!this.table.allows(write)) return this.#conditionFailed(key, input);
    if (kind === 'Update' && input.UpdateExpression === undefined)
      throw new ValidationError('An update needs an UpdateExpression');
    this.#commit('write', [write]);
    const item = this.table.get(key);
    return { output: input.ReturnValues === 'UPDATED_NEW' && item !== undefined ? { Attributes: item } : {} };
  }

  #conditionFailed(key: Key, { ReturnValuesOnConditionCheckFailure: returned }: WriteInput): TableAnswer {
    const item = returned === 'ALL_OLD' ? this.table.get(key) : undefined;
    const message = 'The conditional request failed';
    return { error: { name: 'ConditionalCheckFailedException', message, status: 400, item } };
  }

  /**
   * Holds its items until it is committed or cancelled; another transaction that needs them is cancelled immediately.
   */
  #transact({ TransactItems, ClientRequestToken: token }: TransactInput, reply: Reply): TableAnswer | undefined {
    const content = JSON.stringify(TransactItems);
    const known = token === undefined ? undefined : this.#tokens.get(token);
    if (known !== undefined) return repeated(known, content);
    const writes = TransactItems.map(writeOf);
    const keys = writes.map((write) => joined(targetOf(write)));
    if (writes.length === 0 || writes.length > maxTransactWrites)
      throw new ValidationError('A transaction has 1 to 100 items');
    if (new Set(keys).size < keys.length) throw new ValidationError('An item occurs twice in the transaction');
    const reasons = writes.map((write, n) => this.#reasonAgainst(write, keys[n] ?? ''));
    if (reasons.some(({ Code }) => Code === 'TransactionConflict')) return cancelled(reasons);
    const isRefused = reasons.some(({ Code }) => Code !== 'None');
    const entry = { content, done: false };
    if (token !== undefined) this.#tokens.set(token, entry);
    for (const key of keys) this.#locks.add(key);
    this.#later(this.faults.transactionMilliseconds, () => {
      for (const key of keys) this.#locks.delete(key);
      if (!isRefused) this.#commit('transaction', writes);
      entry.done = true;
      if (token !== undefined) this.#forgetToken(token, isRefused ? 0 : tokenMilliseconds);
      reply(isRefused ? cancelled(reasons) : { output: {} });
    });
    return undefined;
  }

  #forgetToken(token: string, milliseconds: number): void {
    if (milliseconds === 0) this.#tokens.delete(token);
    else this.#world.schedule(milliseconds, () => this.#tokens.delete(token));
  }

  #reasonAgainst(write: Write, key: string): CancellationReason {
    const allowed = this.table.allows(write);
    if (this.#locks.has(key)) return { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
    if (allowed) return { Code: 'None' };
    const isAsked = write.input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    const Item = isAsked ? this.table.get(targetOf(write)) : undefined;
    return { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item };
  }

  /** Copies what another Region wrote; neither transactions nor conditions are copied. */
  replicate({ pk, sk, after }: Mutation): void {
    const write: Write =
      after === undefined ? { kind: 'Delete', input: { Key: { pk, sk } } } : { kind: 'Put', input: { Item: after } };
    this.#commit('replication', [write]);
  }

  #commit(by: Commit['by'], writes: readonly Write[]): void {
    const mutations = writes.map((write) => this.table.apply(write)).filter((mutation) => mutation !== undefined);
    const commit = { at: this.#world.time, by, mutations };
    this.commits.push(commit);
    for (const mutation of mutations) {
      this.#indexLater(mutation);
      this.#expireLater(mutation);
    }
    for (const observe of this.observers) observe(commit);
  }

  /** The indexes show the versions of one item in order, but those of different items in any order. */
  #indexLater(mutation: Mutation): void {
    const { before, after } = mutation;
    const isListed = (item: Item | undefined) => item?.gsi1pk !== undefined || item?.gsi2pk !== undefined;
    if (!isListed(before) && !isListed(after)) return;
    const key = joined(mutation);
    const lag = this.#world.random() * this.faults.indexLagMilliseconds;
    const at = Math.max(this.#indexedUntil.get(key) ?? 0, this.#world.time + lag);
    this.#indexedUntil.set(key, at);
    if (at <= this.#world.time) this.table.index(mutation);
    else this.#world.schedule(at - this.#world.time, () => this.table.index(mutation));
  }

  #expireLater({ pk, sk, after }: Mutation): void {
    const ttl = after?.ttl;
    if (typeof ttl !== 'number') return;
    const delay = this.#world.random() * this.faults.ttlDelayMilliseconds;
    this.#world.schedule(ttl * 1000 + delay - this.#world.time, () => this.#expire({ pk, sk }));
  }

  #expire(key: Key): void {
    const ttl = this.table.get(key)?.ttl;
    if (typeof ttl !== 'number' || ttl * 1000 > this.#world.time) return;
    if (this.#locks.has(joined(key))) this.#world.schedule(1000, () => this.#expire(key));
    else this.#commit('ttl', [{ kind: 'Delete', input: { Key: { ...key } } }]);
  }

  #later(mostMilliseconds: number, run: () => void): void {
    if (mostMilliseconds === 0) run();
    else this.#world.schedule(this.#world.random() * mostMilliseconds, run);
  }

  #draw(chance: number): boolean {
    return chance > 0 && this.#world.random() < chance;
  }

  /** Begins with the last. */
  #inReadingOrder<T>(all: readonly T[]): T[] {
    const { splitReads } = this.faults;
    if (splitReads !== undefined) return splitReads === 'forward' ? all.toReversed() : [...all];
    const drawn = all.map((one) => ({ one, place: this.#world.random() }));
    return drawn.sort((first, second) => first.place - second.place).map(({ one }) => one);
  }
}

/** A read of the table itself that is not strongly consistent would be a mistake, so what it can return is not simulated. */
function requireConsistent({ IndexName, ConsistentRead }: QueryInput): void {
  if (IndexName === undefined && ConsistentRead !== true) throw new Error('A query of the table is not consistent');
}

function repeated({ content, done }: KnownToken, again: string): TableAnswer {
  if (content !== again) {
    const message = 'The token was used for another transaction';
    return { error: { name: 'IdempotentParameterMismatchException', message, status: 400 } };
  }
  if (done) return { output: {} };
  const message = 'The transaction with this token is in progress';
  return { error: { name: 'TransactionInProgressException', message, status: 400 } };
}

function cancelled(reasons: readonly CancellationReason[]): TableAnswer {
  const message = `Transaction cancelled [${reasons.map(({ Code }) => Code).join(', ')}]`;
  return { error: { name: 'TransactionCanceledException', message, status: 400, reasons } };
}

function transactionConflict(): TableAnswer {
  const message = 'Transaction is ongoing for the item';
  return { error: { name: 'TransactionConflictException', message, status: 400 } };
}

function throttled(): TableAnswer {
  return { error: { name: 'ThrottlingException', message: 'Rate exceeded', status: 400 } };
}

function internalError(): TableAnswer {
  return { error: { name: 'InternalServerError', message: 'Internal server error', status: 500 } };
}
