import { accountPart } from './account-part.ts';
import { directoryRepair } from './directory-repair.ts';

/** The account of a user is deleted with the user, and repaired with the table. */
export const directoryState = { user: accountPart, repair: directoryRepair } as const;
