import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual } from '#smoke/trial.ts';

/** What the repair adds to the smoke test: it names what is wrong with the first item, and repairs nothing. */
export const repairProbes: OptionProbes = {
  preparation: {
    repair: {
      request: () => ({ query: { limit: 1, dryRun: true } }),
      check: ({ checked }) => requireEqual('checked', checked <= 1, true),
    },
  },
};
