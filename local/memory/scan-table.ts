import { type Expressions, holds } from './expressions.ts';
import type { Item, MemoryTable } from './memory-table.ts';

/** The parameters of a Scan; a projection names top-level attributes by placeholders. */
export interface ScanInput {
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Item | undefined;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

/** A page of a whole table, of partitions in an order that is not that of their keys. */
export function scanTable(table: MemoryTable, { Limit = 1000, ExclusiveStartKey: start, ...input }: ScanInput) {
  const given = { names: input.ExpressionAttributeNames ?? {}, values: input.ExpressionAttributeValues ?? {} };
  const sorted = table
    .items()
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const rest = sorted.filter(({ place }) => start === undefined || place > placeOf(start));
  const page = rest.slice(0, Limit).map(({ item }) => item);
  const { pk, sk } = page.at(-1) ?? {};
  return {
    Items: page
      .filter((item) => holds(input.FilterExpression, item, given))
      .map((item) => projected(item, input.ProjectionExpression, given)),
    ...(rest.length > Limit && { LastEvaluatedKey: { pk, sk } }),
  };
}

/** Items of a partition are next to each other. */
function placeOf({ pk, sk }: Item): string {
  return `${[...String(pk)].reverse().join('')}\n${sk}`;
}

function projected(item: Item, projection: string | undefined, { names }: Expressions): Item {
  if (projection === undefined) return item;
  const attributes = projection.split(',').map((name) => names[name.trim()] ?? name.trim());
  return Object.fromEntries(Object.entries(item).filter(([name]) => attributes.includes(name)));
}
