/** A figure of this run and the limit it is held to. */
export interface Budget {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly kind: 'max' | 'min';
  readonly unit: string;
}

/** Prints a line for each budget. */
export function printBudgets(budgets: readonly Budget[]): void {
  for (const budget of budgets) {
    const { name, value, limit, kind, unit } = budget;
    const bound = kind === 'max' ? '≤' : '≥';
    const verdict = overBudget(budget) ? 'MISSED' : 'ok';
    console.log(
      `${name.padEnd(36)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(3)} ${bound} ${limit} ${unit}  ${verdict}`,
    );
  }
}

/** Whether a figure misses its limit. */
export function overBudget({ value, limit, kind }: Budget): boolean {
  return kind === 'max' ? value > limit : value < limit;
}
