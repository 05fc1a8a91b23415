import { nothing } from './count-capacity.ts';
import type { Invocation } from './create-events.ts';
import type { OpenFunctions } from './open-functions.ts';
import type { Consumption } from './prices.ts';
import type { WrittenTable } from './written-table.ts';

/** How often each operation is invoked, each time for a different user. */
export const times = 20;

/** The running functions, and the table that they use; requests to its endpoint are not counted. */
export interface CostBench extends WrittenTable {
  readonly functions: OpenFunctions;
}

/** An operation, and what it is designed to consume. */
export interface Operation {
  readonly operation: string;
  /** Whether its log is one short line. Default: false. */
  readonly isBrief?: boolean;
  /** For a function of webhooks, behind no API: the posts to a receiver for which it waits. */
  readonly posts?: number;
  readonly invoke: (at: number, bench: CostBench) => Invocation | Promise<Invocation>;
  /** What happens before each invocation, without being counted. */
  readonly prepare?: (at: number, bench: CostBench) => Promise<void>;
  /** Default: 200. */
  readonly expected?: number;
  /** Whether the function caches the state of keys. Default: false. */
  readonly isCached?: boolean;
  readonly designed: Consumption;
}

/** The consumption of an operation that does not need KMS. */
export function takes(requests: number, readUnits: number, tableWriteUnits = 0, indexWriteUnits = 0): Consumption {
  return { ...nothing, requests, readUnits, tableWriteUnits, indexWriteUnits };
}
