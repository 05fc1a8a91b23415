import { getOverviewDocuments, listBlockEndsDocuments } from './contract/overview-documents.ts';

/** The documents of the operations of the overview, and how the smoke test tries them. */
export const overviewCatalog = {
  documents: { 'get-overview': getOverviewDocuments, 'list-block-ends': listBlockEndsDocuments },
  probes: async () => (await import('./overview-probes.ts')).overviewProbes,
} as const;
