import { errorCatalogue } from '#shared/contract/error-codes.ts';
import type { Problem } from '#shared/contract/problems.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { nonceHeaderOf } from '#shared/signature/base.ts';
import type { HttpEvent, HttpResult } from './http-event.ts';

/** Headers of every response: no caching, and no content sniffing by browsers. */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/**
 * Turns an error into the problem document that a caller sees (RFC 9457); the only place that decides this. A caller that
 * understands only some statuses gets another `status` than that of the error, in the status line and in the document.
 */
export function problemResponse(error: unknown, requestId: string, statusForCaller?: number): HttpResult {
  const { code, options } = toServiceError(error);
  const { title, status: ownStatus } = errorCatalogue[code];
  const status = statusForCaller ?? ownStatus;
  const problem: Problem = {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: options.detail,
    code,
    requestId,
    ...(options.errors === undefined ? {} : { errors: options.errors }),
    ...options.members,
  };
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...answerHeaders,
      ...(status === 503 ? { 'retry-after': '1' } : {}),
      ...options.headers,
    },
    body: JSON.stringify(problem),
  };
}

/** Adds the request's nonce to its response, even when the signature is refused: a cache or proxy cannot know it. */
export function withNonce({ headers }: Pick<HttpEvent, 'headers'>, result: HttpResult): HttpResult {
  return { ...result, headers: { ...result.headers, ...nonceHeaderOf(headers['signature-input']) } };
}

/** An error other than a ServiceError reveals nothing to the caller; the log has its details under the request id. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('internal', { detail: 'An unexpected error occurred. Report the request id.', cause: error });
}

interface Route {
  readonly method: string;
  readonly path: string;
}

/** The error for an unknown path, or for a method that a path does not support. */
export function unknownRoute(routes: readonly Route[], method: string, path: string): ServiceError {
  const allowed = routes.filter((route) => pathPattern(route.path).test(path)).map((route) => route.method);
  if (allowed.length === 0) return new ServiceError('route_not_found', { detail: 'This path does not exist.' });
  const allow = allowed.join(', ');
  return new ServiceError('route_not_found', {
    detail: `This path does not support ${method}. Allowed: ${allow}.`,
    headers: { allow },
  });
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}
