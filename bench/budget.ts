/** A figure of this run and the limit it is held to. */
export interface Budget {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly kind: 'max' | 'min';
  readonly unit: string;
}

/** A figure that may not be higher. */
export function atMost(name: string, value: number, limit: number, unit: string): Budget {
  return { name, value: rounded(value), limit, kind: 'max', unit };
}

/** A figure that may not be lower. */
export function atLeast(name: string, value: number, limit: number, unit: string): Budget {
  return { name, value: rounded(value), limit, kind: 'min', unit };
}

/** One line for the terminal. */
export function budgetLine(budget: Budget): string {
  const { name, value, limit, kind, unit } = budget;
  const verdict = missesBudget(budget) ? 'MISSED' : 'ok';
  return `${name.padEnd(64)} ${value.toFixed(2).padStart(10)} ${unit.padEnd(4)} ${bounds[kind]} ${limit} ${unit}  ${verdict}`;
}

/** What stands between a figure and its limit. */
export const bounds = { max: '≤', min: '≥' } as const;

/** Whether a figure misses its limit. */
export function missesBudget({ value, limit, kind }: Budget): boolean {
  return kind === 'max' ? !(value <= limit) : !(value >= limit);
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
