import { bulkProbes as probes } from './bulk-probes.ts';
import { bulkDocuments as documents } from './contract/bulk-operation-documents.ts';

/** The documents of the operations that import users and undo bulks, and what they add to the smoke test. */
export const bulkCatalog = { documents, probes } as const;
