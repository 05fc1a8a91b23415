import type { TransactEntry } from '#shared/table/client.ts';

/** What is to be recorded once the provider was told. */
export interface TaskOutcome {
  readonly entries: readonly TransactEntry[];
  /** Set if the provider refused what it may accept later, such as an address that another account still has. */
  readonly isWaiting: boolean;
}
