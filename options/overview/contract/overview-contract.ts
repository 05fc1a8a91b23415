import type { OptionOperations } from '#shared/contract/operation.ts';
import { getOverviewOperation, listBlockEndsOperation } from './overview.ts';

/** The operations of the overview, by their names. */
export const overviewOperations = {
  service: {},
  trials: {},
  manage: { 'get-overview': getOverviewOperation, 'list-block-ends': listBlockEndsOperation },
} as const satisfies OptionOperations;
