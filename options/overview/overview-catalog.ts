import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual } from '#smoke/trial.ts';
import { getOverviewDocuments, listBlockEndsDocuments } from './contract/overview-documents.ts';

const probes: OptionProbes = {
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

/** The documents of the operations of the overview, and how the smoke test tries them. */
export const overviewCatalog = {
  documents: { 'get-overview': getOverviewDocuments, 'list-block-ends': listBlockEndsDocuments },
  probes,
} as const;
