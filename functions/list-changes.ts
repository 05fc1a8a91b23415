import { changeKeysRoute } from '#shared/contract/change-keys.ts';
import { listChangesOperation } from '#shared/contract/history.ts';
import { listChanges } from '#shared/domain/history/read-feed.ts';
import type { HttpHandler } from '#shared/http/http-event.ts';
import { answerChangeKeys } from '#shared/http/service/answer-change-keys.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

const answerChanges = serviceEndpoint(listChangesOperation, listChanges);

/** GET /api/service/changes: the changes of the key's application since a cursor; and the keys that verify them. */
export const handler: HttpHandler = (event, context) =>
  event.routeKey === changeKeysRoute ? answerChangeKeys(event, context) : answerChanges(event, context);
