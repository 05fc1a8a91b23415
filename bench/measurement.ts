/** The input of a measurement. */
export interface BenchContext {
  /** An empty folder, deleted when the bench ends. */
  readonly directory: string;
  /** Reports progress on the terminal. */
  progress(line: string): void;
}

/** The result of a measurement, as JSON, so that the report can be written again without measuring. */
export interface Measurement {
  readonly budgets: readonly Budget[];
  /** The figures that other sections of the page use, by name with the unit. Default: none. */
  readonly figures?: Readonly<Record<string, number>>;
  /** Raw samples by subject; not checked in. */
  readonly samples: Readonly<Record<string, unknown>>;
  /** In the report above the budgets: paragraphs and tables of Markdown. */
  readonly report: readonly string[];
}

/** What a module `measure-<name>.ts` exports. */
export type Measure = (context: BenchContext) => Promise<Measurement>;

/** A measurement in `bench/results.json`. */
export interface Measured extends Omit<Measurement, 'samples'> {
  /** When it ended, in ISO 8601. */
  readonly at: string;
  readonly machine: {
    readonly node: string;
    readonly cpu: string;
    readonly cores: number;
    /** The load average of the system over the minute before. */
    readonly load: number;
  };
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
export function atMost(name: string, value: number, limit: number, unit: string): Budget {
  return { name, value: Number(value.toFixed(2)), limit, unit };
}

/** Whether a figure misses its limit; NaN does. */
export function missesBudget({ value, limit }: Budget): boolean {
  return !(value <= limit);
}

/** Budgets as a table in Markdown. */
export function budgetTable(budgets: readonly Budget[]): string {
  const rows = budgets.map((budget) => {
    const { name, value, limit, unit } = budget;
    return [name, `${value} ${unit}`, `≤ ${limit} ${unit}`, missesBudget(budget) ? '**missed**' : 'kept'];
  });
  return markdownTable(['budget', 'measured', 'limit', ''], rows);
}

type Cell = string | number;

/** A table in Markdown. */
export function markdownTable(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  const alignment = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(head), line(alignment), ...rows.map(line)].join('\n');
}
