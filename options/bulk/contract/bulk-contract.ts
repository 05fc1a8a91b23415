import type { OptionOperations } from '#shared/contract/operation.ts';
import * as bulkUndo from './bulk-undo.ts';
import { importUsersOperation } from './user-import.ts';

/** The operations that import users and undo bulks, by their names. */
export const bulkOperations = {
  service: {},
  trials: {},
  manage: {
    'import-users': importUsersOperation,
    'undo-bulk': bulkUndo.undoBulkOperation,
    'undo-status-bulk': bulkUndo.undoStatusBulkOperation,
  },
} as const satisfies OptionOperations;
