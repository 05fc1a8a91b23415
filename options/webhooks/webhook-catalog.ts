import { stoppedDocuments } from './contract/stopped-documents.ts';
import { webhookTypes } from './contract/webhook-types.ts';
import { webhookDocuments } from './contract/webhooks-documents.ts';

/** The documents of the operations for webhooks, what the overview says of them, what they add to the types of the SDK, and how the smoke test tries them. */
export const webhookCatalog = {
  documents: webhookDocuments,
  answers: { 'get-overview': stoppedDocuments },
  types: webhookTypes,
  probes: async () => (await import('./webhooks-probes.ts')).webhookProbes,
} as const;
