import { directoryRepair } from './directory-repair.ts';

/** What directories keep is repaired with the table. */
export const directoryState = { repair: directoryRepair } as const;
