import { getSnapshotOperation } from '#shared/contract/access-snapshot.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** GET /api/service/access: a page of the non-default settings of the key's application. */
export const handler = serviceEndpoint(getSnapshotOperation, readSnapshot);
