import { repairDocuments } from './contract/table-repair-documents.ts';

/** The document of the repair, and how the smoke test tries it. */
export const repairCatalog = {
  documents: { repair: repairDocuments },
  tags: [{ name: 'Repair', description: 'Management: after a restore, or the takeover of a Region.' }],
  probes: async () => (await import('./repair-probes.ts')).repairProbes,
} as const;
