import type { OptionProbes } from '#smoke/option-probes.ts';
import { requireEqual } from '#smoke/trial.ts';
import { repairDocuments } from './contract/table-repair-documents.ts';

/** The smoke test names what is wrong with the first item, and repairs nothing. */
const probes: OptionProbes = {
  preparation: {
    repair: {
      request: () => ({ query: { limit: 1, dryRun: true } }),
      check: ({ checked }) => requireEqual('checked', checked <= 1, true),
    },
  },
};

/** The document of the repair, and how the smoke test tries it. */
export const repairCatalog = {
  documents: { repair: repairDocuments },
  tags: [{ name: 'Repair', description: 'Management: after a restore, or the takeover of a Region.' }],
  probes,
} as const;
