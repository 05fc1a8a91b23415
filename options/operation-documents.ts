/** The documents of the options' operations. */
export { webhookDocuments } from './webhooks/contract/webhooks-documents.ts';
