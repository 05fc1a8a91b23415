import type { RequestContext } from '#shared/domain/request/request-context.ts';
import type { OptionCode } from '#test/simulation/option-code.ts';
import { type RepairRequest, repairTable } from '../../server/repair-table.ts';

/** The code of the repair that processes run. */
export const code: OptionCode = {
  runs: {
    repair: (request: RepairRequest & { readonly dryRun?: boolean }, context: RequestContext) =>
      repairTable(request, { ...context, dryRun: request.dryRun === true }),
  },
  actions: {},
  functions: {},
};
