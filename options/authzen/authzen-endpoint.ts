import { bearerHandler } from '#options/connections/http/bearer-handler.ts';
import { type AccessQuestion, evaluateAccess } from '#options/connections/server/answer-questions.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { config } from '#shared/core/config.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '#shared/http/http-event.ts';
import { requireAllowedAddress } from '#shared/http/middleware/allowed-address.ts';
import { endpoint } from '#shared/http/middleware/endpoint.ts';
import { parseJsonBody } from '#shared/http/middleware/request-body.ts';
import { answerHeaders } from '#shared/http/problem-response.ts';
import { authzenMetadataPath, evaluationEndpoint, evaluationsEndpoint } from './authzen-endpoints.ts';
import { answerEvaluations, type Evaluation } from './evaluation-answer.ts';
import type { EvaluationsRequest, Question } from './evaluation-request.ts';

/** An endpoint of the AuthZEN Authorization API 1.0 (https://openid.net/specs/authorization-api-1_0.html). */
export function authzenEndpoint(endpointOf: BearerEndpoint, read: (body: unknown) => EvaluationsRequest): HttpHandler {
  return bearerHandler(endpointOf, {
    middlewares: [parseJsonBody()],
    handle: async (event, caller) => {
      const request = read(event.body);
      const questions = 'question' in request ? [request.question] : request.questions;
      const asked = questions.flatMap((question) => ('fault' in question ? [] : [question]));
      const known = asked.filter(isAboutUser);
      const { answers } = await evaluateAccess(known.map(accessQuestionOf), caller);
      const answerOf = new Map(known.map((question, n) => [question, answers[n]]));
      const decide = (question: Question): Evaluation => answerOf.get(question) ?? unknownTypes;
      return respond(200, answerEvaluations(request, decide), event);
    },
    respondTo: (error, event) => {
      // The standard knows only 400 for a request that cannot be read, and wants a text in the body.
      const status = error.code === 'unsupported_media_type' ? 400 : errorCatalogue[error.code].status;
      const answer = respond(status, error.options.detail, event);
      return { ...answer, headers: { ...answer.headers, ...error.options.headers } };
    },
  });
}

/** Users and applications are all that this service decides about. */
function isAboutUser({ subject, resource }: Question): boolean {
  return subject.type === 'user' && resource.type === 'application';
}

const unknownTypes: Evaluation = { decision: false, context: { code: 'unknown_type' } };

function accessQuestionOf({ subject, resource, action }: Question): AccessQuestion {
  return { userId: subject.id, appId: resource.id, action: action.name };
}

/** Echoes the id by which the caller finds its request again (AuthZEN 1.0, section on request identification). */
function respond(status: number, body: unknown, { headers, requestContext }: HttpEvent): HttpResult {
  const given = headers['x-request-id'] ?? '';
  const requestId = /^[\x21-\x7e]{1,200}$/.test(given) ? given : requestContext.requestId;
  return {
    statusCode: status,
    headers: { ...answerHeaders, 'content-type': 'application/json', 'x-request-id': requestId },
    body: JSON.stringify(body),
  };
}

/** Answers where the endpoints are, for the host that was asked, which is the identifier of the decision point. */
export const answerAuthzenMetadata: HttpHandler = endpoint({
  identify: () => ({ route: authzenMetadataPath, caller: undefined }),
  isBrief: true,
  api: 'service',
  middlewares: [requireAllowedAddress()],
  handle: async (event) => {
    const [own = event.requestContext.domainName] = config().publicAuthorities;
    const base = `https://${own}`;
    return respond(
      200,
      {
        policy_decision_point: base,
        access_evaluation_endpoint: base + evaluationEndpoint.routes[0].path,
        access_evaluations_endpoint: base + evaluationsEndpoint.routes[0].path,
      },
      event,
    );
  },
});
