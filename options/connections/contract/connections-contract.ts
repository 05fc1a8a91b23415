import type { OptionOperations } from '#shared/contract/operation.ts';
import * as connection from './connection.ts';
import { getConnectionActivityOperation } from './connection-activity.ts';
import * as connectionKey from './connection-key.ts';

/** The operations for connections, by their names. */
export const connectionOperations = {
  service: {},
  trials: {},
  manage: {
    'create-connection': connection.createConnectionOperation,
    'list-connections': connection.listConnectionsOperation,
    'get-connection': connection.getConnectionOperation,
    'update-connection': connection.updateConnectionOperation,
    'delete-connection': connection.deleteConnectionOperation,
    'get-connection-activity': getConnectionActivityOperation,
    'issue-connection-key': connectionKey.issueConnectionKeyOperation,
    'update-connection-key': connectionKey.updateConnectionKeyOperation,
    'rotate-connection-key': connectionKey.rotateConnectionKeyOperation,
    'revoke-connection-key': connectionKey.revokeConnectionKeyOperation,
  },
} as const satisfies OptionOperations;
