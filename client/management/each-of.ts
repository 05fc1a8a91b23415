/** The number of concurrent requests. */
const requestsAtOnce = 4;

/**
 * Processes items, four at once. After a failure, or once stopped, no further one is begun; those that were begun end, and then
 * the first failure is thrown. `isStopped` tells work that takes several requests.
 */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item, isStopped: () => boolean) => Promise<void>,
  isInterrupted = () => false,
): Promise<void> {
  const failures: unknown[] = [];
  const isStopped = () => failures.length > 0 || isInterrupted();
  const waiting = items.values();
  const workOn = async () => {
    for (const item of waiting) {
      if (isStopped()) return;
      await work(item, isStopped).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, workOn));
  if (failures.length > 0) throw failures[0];
}

/** Divides a list into parts of this size; the last one may be smaller. */
export function inBatches<Item>(items: readonly Item[], size: number): readonly Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
