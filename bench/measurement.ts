import type { Budget } from './budget.ts';
import type { Plot } from './plot.ts';

/** What a measurement is given. */
export interface BenchContext {
  /** A folder of its own, gone when the bench ends. */
  readonly directory: string;
  /** Says what is going on, as the bench takes minutes. */
  progress(line: string): void;
}

/** What a measurement found; all of it is JSON, so that the report can be written again without measuring. */
export interface Measurement {
  readonly title: string;
  readonly budgets: readonly Budget[];
  /** Raw, by what they are of. */
  readonly samples: Readonly<Record<string, unknown>>;
  /** In the report under the title and the budgets: Markdown, paragraph by paragraph, and plots. */
  readonly report: readonly (string | Plot)[];
}

/** What a module `measure-<name>.ts` exports. */
export type Measure = (context: BenchContext) => Promise<Measurement>;

/** The machine that measured. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
}

/** A measurement in `bench/results.json`. */
export interface Measured extends Measurement {
  /** When it ended, in ISO 8601. */
  readonly at: string;
  readonly machine: Machine;
}

/** `bench/results.json`. */
export interface Results {
  /** Those of all measurements. */
  readonly budgets: readonly Budget[];
  /** By name; of each the last. */
  readonly measurements: Readonly<Record<string, Measured>>;
}
