import { exactly } from '#shared/http/exactly.ts';
import type { ManageRuns } from '#shared/http/management/manage-run.ts';
import type { bulkOperations } from '../contract/bulk-contract.ts';
import { importUsers } from './import-users.ts';
import { undoBulk } from './undo-bulk.ts';

/** The implementation of each operation that imports users or undoes a bulk. */
export const bulkRuns: ManageRuns<typeof bulkOperations.manage> = {
  'import-users': async ({ body }, context) => ({ items: await exactly(importUsers)(body, context) }),
  'undo-bulk': ({ path, query, body: { dryRun } }, { heldRoles, ...context }) =>
    exactly(undoBulk)({ ...path, ...query, dryRun, heldRoles }, context),
  'undo-status-bulk': ({ path, query, body: { dryRun } }, { heldRoles, ...context }) =>
    exactly(undoBulk)({ ...path, ...query, dryRun, heldRoles }, context),
};
