import { readToken } from '#options/connections/http/authenticate-token.ts';
import { bearerHandler } from '#options/connections/http/bearer-handler.ts';
import { type AccessAnswer, type Evaluation, evaluateAccess } from '#options/connections/server/answer-questions.ts';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { enterAction } from '#shared/domain/access/decide-evaluation.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '#shared/http/http-event.ts';
import { invalidRequest } from '#shared/http/input.ts';
import { answerHeaders, problemResponse } from '#shared/http/problem-response.ts';
import { authorizeEndpoint } from './authzen-endpoints.ts';
import { claimedSubject, verifiedSubject } from './verify-user-token.ts';

/**
 * May the user of a request pass the proxy that forwards it? 204 with the user and the roles in headers, 401 if the request does
 * not say who the user is, 403 if the user may not. A proxy understands no other status, and redirects of none.
 */
export const authorizeRequest: HttpHandler = bearerHandler(authorizeEndpoint, {
  handle: async ({ headers, rawQueryString }, caller) => {
    const { appId, action } = readQuery(rawQueryString);
    const claims = readClaims(headers);
    const named = [claims.subject, claims.user].filter((userId) => userId !== undefined);
    if (named.length === 0) throw unidentified('The request has neither a token nor a name of a user.');
    const questions = named.map((userId) => ({ userId, appId, action }));
    const evaluation = await evaluateAccess(questions, caller);
    const userId = await identify(claims, evaluation);
    const answer = evaluation.answers[named.indexOf(userId)];
    if (answer?.decision !== true) throw denied(answer, appId);
    return allow(userId, answer);
  },
  respondTo: (error, { requestContext: { requestId } }) => {
    // 401 tells a browser's user to log in, which does not help against a refused token of the proxy itself.
    const isOfProxy = errorCatalogue[error.code].status === 401 && error.code !== 'user_unidentified';
    return problemResponse(error, requestId, isOfProxy ? 403 : undefined);
  },
});

function readQuery(rawQueryString: string): { readonly appId: string; readonly action: string } {
  const query = new URLSearchParams(rawQueryString);
  const appId = query.get('application') ?? '';
  const unknown = [...query.keys()].filter((name) => name !== 'application' && name !== 'role');
  const errors = [
    ...(appId === '' ? [{ pointer: 'query:application', detail: 'is required' }] : []),
    ...unknown.map((name) => ({ pointer: `query:${name}`, detail: 'unknown field' })),
    ...['application', 'role'].flatMap((name) =>
      query.getAll(name).length > 1 ? [{ pointer: `query:${name}`, detail: 'must be given once' }] : [],
    ),
  ];
  if (errors.length > 0) throw invalidRequest(errors);
  return { appId, action: query.get('role') || enterAction };
}

/** Who the user is, as the request says; nothing of it is verified yet, and it decides only what is read. */
interface Claims {
  readonly token: string | undefined;
  /** The subject of the token. */
  readonly subject: string | undefined;
  /** What the proxy says, if it overwrites the header. */
  readonly user: string | undefined;
}

function readClaims(headers: HttpEvent['headers']): Claims {
  const token = readToken(headers['x-original-authorization']);
  return { token, subject: token && claimedSubject(token), user: headers['x-original-user'] || undefined };
}

/** The user of the request, by what the connection trusts. */
async function identify({ token, subject, user }: Claims, { connection }: Evaluation): Promise<string> {
  const { issuer, audience, trustsUserHeader } = connection;
  if (issuer !== null && audience !== null) {
    const verified = token && (await verifiedSubject(token, { issuer, audience }));
    if (verified === undefined || verified === '' || verified !== subject) {
      throw unidentified(`The request has no valid token of ${issuer} in X-Original-Authorization.`);
    }
    return verified;
  }
  if (!trustsUserHeader) {
    throw new ServiceError('access_denied', {
      detail: 'The connection says neither whose tokens identify users nor that the proxy overwrites X-Original-User.',
    });
  }
  if (user === undefined) throw unidentified('The proxy has not set X-Original-User.');
  return user;
}

function unidentified(detail: string): ServiceError {
  return new ServiceError('user_unidentified', { detail, headers: { 'www-authenticate': 'Bearer' } });
}

function denied(answer: AccessAnswer | undefined, appId: string): ServiceError {
  const { code = 'user_blocked' } = { ...answer?.context } as { readonly code?: string };
  return new ServiceError('access_denied', {
    detail: `The user may not do this in the application ${appId}.`,
    members: { reason: code },
  });
}

/** Both headers are always set, so that a proxy never leaves those of a caller in place. */
function allow(userId: string, { context }: AccessAnswer): HttpResult {
  const roles = 'roles' in context ? (context.roles ?? []) : [];
  return {
    statusCode: 204,
    headers: { ...answerHeaders, 'x-auth-user': userId, 'x-auth-roles': roles.join(',') },
  };
}
