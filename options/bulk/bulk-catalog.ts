import { bulkDocuments as documents } from './contract/bulk-operation-documents.ts';

/** The documents of the operations that import users and undo bulks, and what they add to the smoke test. */
export const bulkCatalog = {
  documents,
  probes: async () => (await import('./bulk-probes.ts')).bulkProbes,
} as const;
