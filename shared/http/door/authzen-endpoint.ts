import { answerEvaluations, type Evaluation } from '#shared/authzen/evaluation-answer.ts';
import type { EvaluationsRequest, Question } from '#shared/authzen/evaluation-request.ts';
import { authzenMetadataPath, type Door, evaluateDoor, evaluateManyDoor } from '#shared/contract/doors.ts';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { config } from '#shared/core/config.ts';
import { type AccessQuestion, evaluateAccess } from '#shared/domain/connection/answer-questions.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../http-event.ts';
import { requireAllowedAddress } from '../middleware/allowed-address.ts';
import { endpoint } from '../middleware/endpoint.ts';
import { parseJsonBody } from '../middleware/request-body.ts';
import { answerHeaders } from '../problem-response.ts';
import { doorEndpoint } from './door-endpoint.ts';

/** An endpoint of the AuthZEN Authorization API 1.0 (https://openid.net/specs/authorization-api-1_0.html). */
export function authzenEndpoint(door: Door, read: (body: unknown) => EvaluationsRequest): HttpHandler {
  return doorEndpoint(door, {
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
        access_evaluation_endpoint: base + evaluateDoor.routes[0].path,
        access_evaluations_endpoint: base + evaluateManyDoor.routes[0].path,
      },
      event,
    );
  },
});
