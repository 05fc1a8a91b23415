import type { OptionOperations } from '#shared/contract/operation.ts';
import { repairOperation } from './table-repair.ts';

/** The operation that repairs the table, by its name. */
export const repairOperations = {
  service: {},
  trials: {},
  manage: { repair: repairOperation },
} as const satisfies OptionOperations;
