import { stoppedDocuments } from './contract/stopped-documents.ts';
import { webhookTypes } from './contract/webhook-types.ts';
import { webhookDocuments } from './contract/webhooks-documents.ts';
import { webhookItems } from './table/webhook-items.ts';

/** The documents of the operations for webhooks, what the overview says of them, what they add to the types of the SDK, what is kept of deliveries, and how the smoke test tries them. */
export const webhookCatalog = {
  documents: webhookDocuments,
  answers: { 'get-overview': stoppedDocuments },
  types: webhookTypes,
  items: webhookItems,
  probes: async () => (await import('./webhooks-probes.ts')).webhookProbes,
} as const;
