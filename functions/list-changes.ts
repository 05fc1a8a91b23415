import { listChangesOperation } from '#shared/contract/history.ts';
import { listChanges } from '#shared/domain/history/list-history.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** GET /api/service/changes: what has changed in the key's application since a cursor. */
export const handler = serviceEndpoint(listChangesOperation, ({ appId, query: { after, limit } }, context) =>
  listChanges({ appId, limit, cursor: after }, context),
);
