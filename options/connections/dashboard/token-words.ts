import { endsSoonDays, unusedDays } from '#shared/contract/key-attention.ts';

/** What follows each number of tokens that need attention: `1 token expires within 30 days`. */
export const tokenWords = {
  expiring: (count: number) => `${count === 1 ? 'token expires' : 'tokens expire'} within ${endsSoonDays} days`,
  unused: (count: number) => `${count === 1 ? 'token was' : 'tokens were'} not used for ${unusedDays} days`,
} as const;
