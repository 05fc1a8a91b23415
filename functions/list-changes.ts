import { changeKeysRoute } from '#shared/contract/change-keys.ts';
import { eventKeysRoute } from '#shared/contract/event-keys.ts';
import { listChangesOperation } from '#shared/contract/history.ts';
import { listChanges } from '#shared/domain/history/changes-by-number.ts';
import type { HttpHandler } from '#shared/http/http-event.ts';
import { answerChangeKeys, answerEventKeys } from '#shared/http/service/answer-change-keys.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

const answerChanges = serviceEndpoint(listChangesOperation, listChanges);

/** GET /api/service/changes: the changes of the key's application since a cursor; and the keys that verify them, or security events. */
export const handler: HttpHandler = (event, context) => {
  if (event.routeKey === changeKeysRoute) return answerChangeKeys(event, context);
  if (event.routeKey === eventKeysRoute) return answerEventKeys(event, context);
  return answerChanges(event, context);
};
