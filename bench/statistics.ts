/** The middle half of some samples. */
export interface Quartiles {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/** The middle of the sorted values; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The median, and the values between which half of the samples lie. */
export function quartiles(values: readonly number[]): Quartiles {
  return { lower: quantile(values, 0.25), median: median(values), upper: quantile(values, 0.75) };
}

/** Of samples taken in pairs, each round's ratio: what slowed the machine down in one round slowed both. */
export function pairedRatios(values: readonly number[], floor: readonly number[]): number[] {
  return values.map((value, round) => value / (floor[round] ?? Number.NaN));
}

/** The value below which this share of the samples lies, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const position = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(position)] ?? Number.NaN;
  const upper = sorted[Math.ceil(position)] ?? Number.NaN;
  return lower + (upper - lower) * (position - Math.floor(position));
}
