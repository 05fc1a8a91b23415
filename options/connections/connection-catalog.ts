import { keyCountsSchema } from '#shared/contract/answers.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import { connectionDocuments } from './contract/connections-documents.ts';
import { connectionItems } from './table/connection-items.ts';

const entries = { tokens: keyCountsSchema };
describeMembers(entries, {
  tokens: 'The same of the tokens of connections; 0 for a role that is limited to applications.',
});
const none = { count: 0, more: false };

/** The documents of the operations for connections and of what the overview says of them, what is kept of connections, and how the smoke test tries them. */
export const connectionCatalog = {
  documents: connectionDocuments,
  items: connectionItems,
  answers: { 'get-overview': { entries, example: { tokens: { expiring: none, unused: none } } } },
  probes: async () => (await import('./connection-probes.ts')).connectionProbes,
} as const;
