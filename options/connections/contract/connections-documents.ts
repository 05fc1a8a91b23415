// The fields come first: a record can describe one in words of its own.
import './connection-fields-documents.ts';
import './group-roles-documents.ts';

import type { DocumentsOf } from '#shared/contract/documentation.ts';
import * as connectionActivity from './connection-activity-documents.ts';
import * as connection from './connection-documents.ts';
import * as connectionKey from './connection-key-documents.ts';
import type { connectionOperations } from './connections-contract.ts';

/** The documents of the operations for connections. */
export const connectionDocuments: DocumentsOf<typeof connectionOperations.manage> = {
  'create-connection': connection.createConnectionDocuments,
  'list-connections': connection.listConnectionsDocuments,
  'get-connection': connection.getConnectionDocuments,
  'update-connection': connection.updateConnectionDocuments,
  'delete-connection': connection.deleteConnectionDocuments,
  'get-connection-activity': connectionActivity.getConnectionActivityDocuments,
  'issue-connection-key': connectionKey.issueConnectionKeyDocuments,
  'update-connection-key': connectionKey.updateConnectionKeyDocuments,
  'rotate-connection-key': connectionKey.rotateConnectionKeyDocuments,
  'revoke-connection-key': connectionKey.revokeConnectionKeyDocuments,
};
