import { readEvaluation } from '#shared/authzen/evaluation-request.ts';
import { authzenMetadataRoute, evaluateDoor } from '#shared/contract/doors.ts';
import { answerAuthzenMetadata, authzenEndpoint } from '#shared/http/door/authzen-endpoint.ts';
import type { HttpHandler } from '#shared/http/http-event.ts';

const answerEvaluation = authzenEndpoint(evaluateDoor, (body) => ({ question: readEvaluation(body) }));

/** POST /access/v1/evaluation: whether a user may enter an application or hold a role there; and where the endpoints are. */
export const handler: HttpHandler = (event, context) =>
  event.routeKey === authzenMetadataRoute ? answerAuthzenMetadata(event, context) : answerEvaluation(event, context);
