import { type Item, queryItems } from './client.ts';
import type { Key, Range } from './key.ts';

/** The next items of a range, until there are enough; `next` is undefined at its end. A page of DynamoDB may be short. */
export async function readItemsOf(range: Range, count: number, after?: Item) {
  const found: (Item & Key)[] = [];
  let next = after;
  do {
    const limit = Number.isFinite(count) ? count - found.length : undefined;
    const page = await queryItems(range, { limit, after: next });
    found.push(...page.items);
    next = page.next;
  } while (next !== undefined && found.length < count);
  return { items: found, next };
}

/** All items of a range. */
export async function readAllOf(range: Range): Promise<(Item & Key)[]> {
  return (await readItemsOf(range, Number.POSITIVE_INFINITY)).items;
}
