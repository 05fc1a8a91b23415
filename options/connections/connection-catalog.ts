import { keyCountsSchema } from '#shared/contract/answers.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';

const entries = { tokens: keyCountsSchema };
describeMembers(entries, {
  tokens: 'The same of the tokens of connections; 0 for a role that is limited to applications.',
});
const none = { count: 0, more: false };

/** What the overview says of connections. */
export const connectionCatalog = {
  answers: { 'get-overview': { entries, example: { tokens: { expiring: none, unused: none } } } },
} as const;
