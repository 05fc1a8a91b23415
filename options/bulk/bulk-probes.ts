import type { OptionProbes } from '#smoke/option-probes.ts';
import { type ManageProbes, requireEqual } from '#smoke/trial.ts';

/** The deployment may require one. */
const reason = 'smoke test';

const operation: Partial<ManageProbes> = {
  'import-users': {
    request: ({ userId, appId }) => ({
      body: {
        users: [{ userId, accesses: [{ appId, status: 'enabled' as const }] }],
        unblock: true,
        dryRun: true,
        reason,
      },
    }),
    check: ({ items }) => requireEqual('outcome', items[0]?.outcome, 'changed'),
  },
};

/** Undoes the bulks of the smoke test. */
const completion: Partial<ManageProbes> = {
  'undo-bulk': {
    request: ({ appId, bulkIds: [bulkId] }) => ({ path: { appId, bulkId }, body: { reason } }),
    check: ({ items }) => requireEqual('outcome', items[0]?.outcome, 'changed'),
    withinSeconds: 10,
  },
  'undo-status-bulk': {
    request: ({ bulkIds: [, bulkId] }) => ({ path: { bulkId }, body: { reason } }),
    check: ({ items }) => requireEqual('outcome', items[0]?.outcome, 'changed'),
    withinSeconds: 10,
  },
};

/** What imports and the undo of bulks add to the smoke test. */
export const bulkProbes: OptionProbes = { operation, completion };
