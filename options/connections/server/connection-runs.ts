import { exactly } from '#shared/http/exactly.ts';
import { continuable, type ManageRuns } from '#shared/http/management/manage-run.ts';
import type { connectionOperations } from '../contract/connections-contract.ts';
import {
  issueConnectionKey,
  revokeConnectionKey,
  rotateConnectionKey,
  updateConnectionKey,
} from './connection-keys.ts';
import { createConnection, getConnection, listConnections, updateConnection } from './connections.ts';
import { deleteConnection } from './delete-connection.ts';
import { getConnectionActivity } from './record-activity.ts';

/** The implementation of each operation for connections. */
export const connectionRuns: ManageRuns<typeof connectionOperations.manage> = {
  'create-connection': ({ body }, context) => exactly(createConnection)(body, context),
  'list-connections': ({ query }) => exactly(listConnections)(query),
  'get-connection': ({ path }) => exactly(getConnection)(path),
  'update-connection': ({ path, body, ifMatch }, context) =>
    exactly(updateConnection)({ ...path, ...body, ifMatch }, context),
  'delete-connection': async ({ path }, context) => continuable(await exactly(deleteConnection)(path, context)),
  'get-connection-activity': ({ path }) => exactly(getConnectionActivity)(path),
  'issue-connection-key': ({ path, body }, context) => exactly(issueConnectionKey)({ ...path, ...body }, context),
  'update-connection-key': ({ path, body }, context) => exactly(updateConnectionKey)({ ...path, ...body }, context),
  'rotate-connection-key': ({ path, body: { overlap: overlapSeconds, ...rotation } }, context) =>
    exactly(rotateConnectionKey)({ ...path, overlapSeconds, ...rotation }, context),
  'revoke-connection-key': ({ path }, context) => exactly(revokeConnectionKey)(path, context),
};
