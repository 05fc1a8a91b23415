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
