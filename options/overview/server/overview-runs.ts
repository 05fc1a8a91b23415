import { exactly } from '#shared/http/exactly.ts';
import type { ManageRuns } from '#shared/http/management/manage-run.ts';
import { narrowed } from '#shared/http/management/narrowed.ts';
import type { overviewOperations } from '../contract/overview-contract.ts';
import { listBlockEnds } from './list-block-ends.ts';
import { getOverview } from './read-overview.ts';

/** The implementation of each operation of the overview. */
export const overviewRuns: ManageRuns<typeof overviewOperations.manage> = {
  'get-overview': ({ query }, { limitedTo }) => getOverview(limitedTo, query.applications),
  'list-block-ends': async ({ query }, { limitedTo }) =>
    narrowed(await exactly(listBlockEnds)({ ...query, limitedTo }), limitedTo),
};
