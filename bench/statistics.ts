// Read once: in a context of node:vm, where the tests run, each access to a global costs more than the arithmetic.
const { cos, exp, floor, imul, log, max, PI, round, sqrt } = Math;

/** The median of some samples, and the values between which half of them lie. */
export interface Quartiles {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/** The middle of the sorted values; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The median and both quartiles. */
export function quartiles(values: readonly number[]): Quartiles {
  return { lower: quantile(values, 0.25), median: median(values), upper: quantile(values, 0.75) };
}

/** The quartiles as text: the median, and the middle half in brackets. */
export function spread(values: readonly number[], digits: number): string {
  const { lower, median: middle, upper } = quartiles(values);
  return `${middle.toFixed(digits)} (${lower.toFixed(digits)}–${upper.toFixed(digits)})`;
}

/** The ratio of each round's samples: what slows the machine down in one round slows both. */
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

/** A sample of the Poisson distribution with this mean; approximated by the normal distribution from 30 on. */
export function poisson(mean: number, random: () => number): number {
  if (mean >= 30) return max(0, round(mean + sqrt(mean) * normal(random)));
  const limit = exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}

/** The values in random order (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(floor(random() * rest.length), 1));
}

/** By Box and Muller. */
function normal(random: () => number): number {
  return sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
}
