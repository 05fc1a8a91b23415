/** Lets a bulk of a hundred finish in a second or two, with few connections for its transactions. */
const concurrency = 10;

/** Maps items with limited concurrency; the results are in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const processRemaining = async () => {
    for (const [index, item] of remaining) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, processRemaining));
  return results;
}
