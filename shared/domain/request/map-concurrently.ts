/** So many at once, so that a bulk of a hundred takes a second or two, and its transactions few connections. */
const concurrency = 10;

/** The results in the order of the items, some of which are worked on at once. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const workThrough = async () => {
    for (const [index, item] of remaining) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, workThrough));
  return results;
}
