import { listChangesOperation } from '#shared/contract/history.ts';
import { listChanges } from '#shared/domain/history/read-feed.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** GET /api/service/changes: the changes of the key's application since a cursor. */
export const handler = serviceEndpoint(listChangesOperation, listChanges);
