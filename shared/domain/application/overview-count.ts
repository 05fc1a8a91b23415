import type { Application } from '#shared/table/items/application-item.ts';

/** What an option adds to the numbers of the overview. */
export interface OverviewCount {
  /** The member of the answer that has it. */
  readonly member: string;
  count(shown: ShownState): Promise<unknown>;
}

/** What the overview is about. */
export interface ShownState {
  readonly at: Date;
  /** All, or those that an operator is limited to; they are being read. */
  readonly applications: Promise<readonly Application[]>;
  readonly isLimited: boolean;
}
