import type { DocumentsOf } from '#shared/contract/documentation.ts';
import type { bulkOperations } from './bulk-contract.ts';
import * as bulkUndo from './bulk-undo-documents.ts';
import { importUsersDocuments } from './user-import-documents.ts';

/** The documents of the operations that import users and undo bulks. */
export const bulkDocuments: DocumentsOf<typeof bulkOperations.manage> = {
  'import-users': importUsersDocuments,
  'undo-bulk': bulkUndo.undoBulkDocuments,
  'undo-status-bulk': bulkUndo.undoStatusBulkDocuments,
};
