import type { Answer, keyCountsSchema } from '#shared/contract/answers.ts';
import { limitedCountText, type OverviewMember } from '#shared/contract/overview-member.ts';

/** Of the tokens of connections, those that need attention. */
export type TokenCounts = Answer<typeof keyCountsSchema>;

/** The tokens that need attention, on the overview. */
export const tokenMember: OverviewMember<TokenCounts> = {
  name: 'tokens',
  lines: ({ expiring, unused }) => [
    ['tokens that expire within 30 days', limitedCountText(expiring)],
    ['tokens unused for 30 days', limitedCountText(unused)],
  ],
};
