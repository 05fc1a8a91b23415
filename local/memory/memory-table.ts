import {
  compareText,
  type Expressions,
  holds,
  type Item,
  requirePlaceholders,
  updated,
  ValidationError,
} from './expressions.ts';

export type { Item } from './expressions.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The change of one item. */
export interface Mutation extends Key {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The parameters that the operations of one item share. */
export interface WriteInput {
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly ReturnValuesOnConditionCheckFailure?: string;
  readonly ReturnValues?: string;
}

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

export interface Write {
  readonly kind: WriteKind;
  readonly input: WriteInput;
}

export interface QueryInput {
  readonly IndexName?: string | undefined;
  readonly KeyConditionExpression: string;
  readonly FilterExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Item | undefined;
  readonly ConsistentRead?: boolean;
}

export interface QueryPage {
  readonly Items: readonly Item[];
  readonly LastEvaluatedKey?: Item;
}

const indexNames = ['gsi1', 'gsi2'] as const;
type IndexName = (typeof indexNames)[number];

/**
 * The current items of one table with the keys `pk` and `sk`. Anything that takes time, such as a transaction or an
 * update of the indexes, is implemented elsewhere.
 */
export class MemoryTable {
  readonly #partitions: Map<string, Map<string, Item>>;
  readonly #indexed: Record<IndexName, Map<string, Item>>;
  /** Called with what `writeAll` has changed, before it returns. */
  onWritten: ((mutations: readonly Mutation[]) => void) | undefined;

  /** Creates an empty table, or a copy of another one. */
  constructor(original?: MemoryTable) {
    this.#partitions = new Map();
    this.#indexed = { gsi1: new Map(), gsi2: new Map() };
    if (original === undefined) return;
    for (const name of indexNames) this.#indexed[name] = new Map(original.#indexed[name]);
    for (const [pk, items] of original.#partitions) this.#partitions.set(pk, new Map(items));
  }

  get(key: Item | Key): Item | undefined {
    const { pk, sk } = keyOf(key);
    return this.#partitions.get(pk)?.get(sk);
  }

  /** All items, by their keys. */
  items(): Item[] {
    return [...this.#partitions.values()].flatMap((items) => [...items.values()]).sort(byKey);
  }

  /** Whether the condition of a write holds now. */
  allows({ kind, input }: Write): boolean {
    const given = expressionsOf(input);
    requirePlaceholders([input.ConditionExpression, input.UpdateExpression], given);
    if (kind === 'ConditionCheck' && !input.ConditionExpression) throw new ValidationError('A check needs a condition');
    return holds(input.ConditionExpression, this.get(targetOf({ kind, input })), given);
  }

  /** Writes without checking the condition. */
  apply({ kind, input }: Write): Mutation | undefined {
    if (kind === 'ConditionCheck') return undefined;
    const key = targetOf({ kind, input });
    const before = this.get(key);
    const after = this.#next({ kind, input }, key, before);
    const partition = this.#partitions.get(key.pk) ?? new Map<string, Item>();
    this.#partitions.set(key.pk, partition);
    if (after === undefined) partition.delete(key.sk);
    else partition.set(key.sk, after);
    return { ...key, before, after };
  }

  /**
   * Performs all writes and updates the indexes immediately, or performs none if a condition does not hold. Returns the
   * refused writes by position, with the existing item if requested.
   */
  writeAll(writes: readonly Write[]): ReadonlyMap<number, Item | undefined> {
    const refused = [...writes.entries()].filter(([, write]) => !this.allows(write));
    if (refused.length > 0) return new Map(refused.map(([n, write]) => [n, this.#shown(write)]));
    const mutations = writes.flatMap((write) => this.apply(write) ?? []);
    for (const mutation of mutations) this.index(mutation);
    this.onWritten?.(mutations);
    return new Map();
  }

  #shown(write: Write): Item | undefined {
    return write.input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? this.get(targetOf(write)) : undefined;
  }

  #next({ kind, input }: Write, key: Key, before: Item | undefined): Item | undefined {
    if (kind === 'Delete') return undefined;
    if (kind === 'Put') return storable(input.Item ?? {});
    return storable({ ...updated(input.UpdateExpression ?? '', before ?? {}, expressionsOf(input)), ...key });
  }

  /** Updates the indexes with the change of an item, which may be an earlier one. */
  index({ pk, sk, after }: Mutation): void {
    for (const name of indexNames) {
      const isListed = after?.[`${name}pk`] !== undefined && after[`${name}sk`] !== undefined;
      if (isListed) this.#indexed[name].set(joined({ pk, sk }), after);
      else this.#indexed[name].delete(joined({ pk, sk }));
    }
  }

  /** Returns one page; `shorter` omits this many of its last items, like a page that exceeds the size limit. */
  query(input: QueryInput, shorter = 0): QueryPage {
    const { IndexName: index, Limit = 1000, ExclusiveStartKey: start, ScanIndexForward: ascending = true } = input;
    if (index !== undefined && !isIndex(index)) throw new ValidationError('The table does not have this index');
    if (index !== undefined && input.ConsistentRead === true) throw new ValidationError('An index is never consistent');
    const given = expressionsOf(input);
    requirePlaceholders([input.KeyConditionExpression, input.FilterExpression], given);
    const sign = ascending ? 1 : -1;
    const order = index === undefined ? byKey : byIndexKey(index);
    const inRange = (item: Item) => holds(input.KeyConditionExpression, item, given);
    if (start !== undefined && !inRange(start)) throw new ValidationError('The starting key is outside the query');
    const source = index === undefined ? this.#partition(input) : [...this.#indexed[index].values()];
    const found = source
      .filter(inRange)
      .filter((item) => start === undefined || sign * order(item, start) > 0)
      .sort((one, other) => sign * order(one, other));
    const read = found.slice(0, Math.max(1, Math.min(Limit, found.length) - shorter));
    const last = read.at(-1);
    const isCut = last !== undefined && (read.length < found.length || read.length === Limit);
    const Items = read.filter((item) => holds(input.FilterExpression, item, given));
    return { Items, ...(isCut && { LastEvaluatedKey: positionOf(last, index) }) };
  }

  /** Returns the items of the partition that a query reads. */
  #partition({ KeyConditionExpression: text, ExpressionAttributeValues: values = {} }: QueryInput): Item[] {
    const [, name = ''] = /=\s*(:\w+)/.exec(text) ?? [];
    return [...(this.#partitions.get(String(values[name])) ?? new Map<string, Item>()).values()];
  }
}

/** Returns the write in an entry of a transaction. */
export function writeOf(entry: Readonly<Partial<Record<WriteKind, WriteInput>>>): Write {
  const [[kind, input] = [], ...others] = Object.entries(entry);
  const known = kind === 'Put' || kind === 'Update' || kind === 'Delete' || kind === 'ConditionCheck';
  if (!known || input === undefined || others.length > 0) throw new Error(`Not an entry of a transaction: ${kind}`);
  return { kind, input };
}

/** Returns the key of the item to write. */
export function targetOf({ kind, input }: Write): Key {
  return keyOf((kind === 'Put' ? input.Item : input.Key) ?? {});
}

export function keyOf({ pk, sk }: Item | Key): Key {
  if (typeof pk === 'string' && typeof sk === 'string' && pk !== '' && sk !== '') return { pk, sk };
  throw new ValidationError('The key must have two non-empty strings');
}

/** Joins the parts of a key into one string. */
export function joined({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

function expressionsOf(input: WriteInput | QueryInput): Expressions {
  return { names: input.ExpressionAttributeNames ?? {}, values: input.ExpressionAttributeValues ?? {} };
}

function byKey(one: Item, other: Item): number {
  return compareText(String(one.pk), String(other.pk)) || compareText(String(one.sk), String(other.sk));
}

function byIndexKey(index: IndexName) {
  const sortKey = `${index}sk`;
  return (one: Item, other: Item): number =>
    compareText(String(one[sortKey]), String(other[sortKey])) || byKey(one, other);
}

function isIndex(name: string): name is IndexName {
  return indexNames.some((index) => index === name);
}

function positionOf(item: Item, index: IndexName | undefined): Item {
  const { pk, sk } = item;
  return index === undefined
    ? { pk, sk }
    : { [`${index}pk`]: item[`${index}pk`], [`${index}sk`]: item[`${index}sk`], pk, sk };
}

/** Returns an immutable copy, without what the document client omits. */
function storable(item: Item): Item {
  keyOf(item);
  return copied(item) as Item;
}

function copied(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ValidationError('A number is not finite');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(copied));
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.freeze(Object.fromEntries(entries.map(([name, member]) => [name, copied(member)])));
}
