/** The input of a measurement. */
export interface BenchContext {
  /** An empty folder, deleted when the bench ends. */
  readonly directory: string;
  /** The folder of the synthesized stack. */
  readonly assembly: string;
  /** Reports progress on the terminal. */
  progress(line: string): void;
}

/** The result of a measurement, as JSON, so that the report can be written again without measuring. */
export interface Measurement {
  readonly budgets: readonly Budget[];
  /** The time of one decision, for the summary of the page. Default: none. */
  readonly milliseconds?: number;
  /** Raw samples by subject; not checked in. */
  readonly samples: object;
  /** In the report above the budgets: paragraphs and tables of Markdown. */
  readonly report: readonly string[];
}

/** A measurement in `bench/results.json`. */
export interface Measured extends Omit<Measurement, 'samples'> {
  /** When it ended, in ISO 8601. */
  readonly at: string;
  /** With the load average over the minute before. */
  readonly machine: { readonly node: string; readonly cpu: string; readonly cores: number; readonly load: number };
}

/** The last result of each measurement, by its name. */
export type Results = Readonly<Record<string, Measured>>;

/** A measured figure and the limit that it must not exceed. */
export interface Budget {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
}

/** A figure that must not exceed its limit. */
export function atMost(name: string, value: number, limit: number, unit = ''): Budget {
  return { name, value: Number(value.toFixed(2)), limit, unit };
}

/** Whether a figure misses its limit; NaN does. */
export function missesBudget({ value, limit }: Budget): boolean {
  return !(value <= limit);
}

/** Each budget as text. */
export function budgetTexts(budgets: readonly Budget[]): string[] {
  return budgets.map((budget) => {
    const [value, limit] = [budget.value, budget.limit].map((each) => `${each} ${budget.unit}`.trim());
    const text = `${budget.name} ${value} (≤ ${limit})`;
    return missesBudget(budget) ? `**${text}, missed**` : text;
  });
}

/** A table in Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const alignment = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
