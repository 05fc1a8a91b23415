import type { HttpHandler } from '#shared/http/http-event.ts';
import { answerAuthzenMetadata, authzenEndpoint } from '../authzen-endpoint.ts';
import { authzenMetadataRoute, evaluationEndpoint } from '../authzen-endpoints.ts';
import { readEvaluation } from '../evaluation-request.ts';

const answerEvaluation = authzenEndpoint(evaluationEndpoint, (body) => ({ question: readEvaluation(body) }));

/** POST /access/v1/evaluation: whether a user may enter an application or hold a role there; and where the endpoints are. */
export const handler: HttpHandler = (event, context) =>
  event.routeKey === authzenMetadataRoute ? answerAuthzenMetadata(event, context) : answerEvaluation(event, context);
