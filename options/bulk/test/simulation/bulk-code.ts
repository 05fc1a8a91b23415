import type { OptionCode } from '#test/simulation/option-code.ts';
import { importUsers } from '../../server/import-users.ts';
import { undoBulk } from '../../server/undo-bulk.ts';

/** The code of imports and of the undo of bulks that processes run. */
export const code: OptionCode = {
  runs: { 'import-users': importUsers, 'undo-bulk': undoBulk },
  actions: {},
  singles: { 'undo-bulk': 'undo-change' },
  checked: ['import-users', 'undo-bulk'],
  functions: {},
};
