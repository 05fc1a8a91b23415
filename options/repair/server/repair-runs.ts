import { exactly } from '#shared/http/exactly.ts';
import type { ManageRuns } from '#shared/http/management/manage-run.ts';
import type { repairOperations } from '../contract/repair-contract.ts';
import { repairTable } from './repair-table.ts';

/** The implementation of the repair in the Management API. */
export const repairRuns: ManageRuns<typeof repairOperations.manage> = {
  repair: ({ query }, context) => exactly(repairTable)(query, context),
};
