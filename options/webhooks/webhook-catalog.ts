import { stoppedDocuments } from './contract/stopped-documents.ts';
import { webhookTypes } from './contract/webhook-types.ts';
import { webhookDocuments } from './contract/webhooks-documents.ts';
import { webhookProbes } from './webhooks-probes.ts';

/** The documents of the operations for webhooks, what the overview says of them, what they add to the types of the SDK, and how the smoke test tries them. */
export const webhookCatalog = {
  documents: webhookDocuments,
  answers: { 'get-overview': stoppedDocuments },
  types: webhookTypes,
  probes: webhookProbes,
} as const;
