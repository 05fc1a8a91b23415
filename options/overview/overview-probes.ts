import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual } from '#smoke/trial.ts';

/** What the overview adds to the smoke test. */
export const overviewProbes: OptionProbes = {
  preparation: {
    'list-block-ends': {
      request: () => ({ query: { limit: 1 } }),
      check: ({ items }) => requireEqual('items', items.length <= 1, true),
    },
    'get-overview': {
      request: () => ({}),
      check: ({ days }) => requireEqual('days', days.length <= 30, true),
    },
  },
};
