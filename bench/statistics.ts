// Read once: in a context of node:vm, where the tests run, each access to a global costs more than the arithmetic.
const { floor, imul } = Math;

/** The middle of the sorted values; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The median as text, and in brackets the quartiles, between which half of the samples lie. */
export function spread(values: readonly number[], digits: number): string {
  const [lower, upper] = [quantile(values, 0.25), quantile(values, 0.75)];
  return `${median(values).toFixed(digits)} (${lower.toFixed(digits)}–${upper.toFixed(digits)})`;
}

/** The ratio of each round's samples: a slow round of the machine affects both. */
export function pairedRatios(values: readonly number[], floors: readonly number[]): number[] {
  return values.map((value, at) => value / (floors[at] ?? Number.NaN));
}

/** The value below which this share of the samples lies, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const position = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(position)] ?? Number.NaN;
  const upper = sorted[Math.ceil(position)] ?? Number.NaN;
  return lower + (upper - lower) * (position - Math.floor(position));
}

/** Pseudo-random numbers from 0 to 1; the same seed gives the same sequence (mulberry32, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The values in random order (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(floor(random() * rest.length), 1));
}
