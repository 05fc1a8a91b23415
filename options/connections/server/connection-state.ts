import { connectionRepair } from './connection-repair.ts';
import { tokenCounts } from './token-counts.ts';

/** What connections keep is repaired with the table, and their tokens are counted on the overview. */
export const connectionState = { repair: connectionRepair, overview: tokenCounts } as const;
