import type { Item, MemoryTable } from './memory-table.ts';

/** The parameters of a Scan that the service uses, with a projection on top-level attributes. */
export interface ScanInput {
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Item;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
}

/** A page of a whole table, of partitions in an order that is not that of their keys. */
export function scanTable(table: MemoryTable, { Limit = 1000, ExclusiveStartKey: start, ...input }: ScanInput) {
  const attributes = Object.values(input.ExpressionAttributeNames);
  const sorted = table
    .items()
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const rest = sorted.filter(({ place }) => start === undefined || place > placeOf(start));
  const page = rest.slice(0, Limit).map(({ item }) => item);
  const { pk, sk } = page.at(-1) ?? {};
  return {
    Items: page.map((item) => projected(item, attributes)),
    ...(rest.length > Limit && { LastEvaluatedKey: { pk, sk } }),
  };
}

/** Items of a partition are next to each other. */
function placeOf({ pk, sk }: Item): string {
  return `${[...String(pk)].reverse().join('')}\n${sk}`;
}

function projected(item: Item, attributes: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => attributes.includes(name)));
}
