/** Lets a bulk of a hundred finish in a second or two, with few connections for its transactions. */
const defaultConcurrency = 10;

/**
 * Maps items with limited concurrency (default: 10); the results are in the order of the items. After a failure it begins no further item,
 * and throws only once the items that it began have ended, so that nothing of a request is sent after its answer.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  concurrency = defaultConcurrency,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const remaining = items.entries();
  const processRemaining = async () => {
    for (const [index, item] of remaining) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, processRemaining));
  if (failures.length > 0) throw failures[0];
  return results;
}
