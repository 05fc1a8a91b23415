import type { Answer, limitedCountSchema } from './answers.ts';

/** A count of a list that is read only up to a limit. */
export type LimitedCount = Answer<typeof limitedCountSchema>;

/** A member that an option adds to the numbers of the overview, as the command line prints it. */
export interface OverviewMember<Value = unknown> {
  readonly name: string;
  lines(value: Value): readonly (readonly [label: string, value: string])[];
}

/** The number, `at least` where there may be more. */
export function limitedCountText({ count, more }: LimitedCount): string {
  return more ? `at least ${count}` : String(count);
}
