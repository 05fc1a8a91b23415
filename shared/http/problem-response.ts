import { errorCatalogue } from '#shared/contract/error-codes.ts';
import type { Problem } from '#shared/contract/problems.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { nonceHeaderOf } from '#shared/signature/base.ts';
import type { HttpEvent, HttpResult } from './http-event.ts';

/** Of every answer: it is kept by no cache, and no browser takes its JSON for something else. */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** The one function that decides what a caller sees of an error: a problem document (RFC 9457). */
export function problemResponse(error: unknown, requestId: string): HttpResult {
  const { code, options } = toServiceError(error);
  const { status, title } = errorCatalogue[code];
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

/** Adds the nonce of the request to its answer, a refusal of the signature too: a cache or a proxy cannot know it. */
export function withNonce({ headers }: Pick<HttpEvent, 'headers'>, result: HttpResult): HttpResult {
  return { ...result, headers: { ...result.headers, ...nonceHeaderOf(headers['signature-input']) } };
}

/** What is not a ServiceError tells a caller nothing; the log has all of it under the request id. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('internal', { detail: 'This is our fault. Tell us the request id.', cause: error });
}

interface Route {
  readonly method: string;
  readonly path: string;
}

/** The error for a path that does not exist, or for a method that a path does not take. */
export function unknownRoute(routes: readonly Route[], method: string, path: string): ServiceError {
  const allowed = routes.filter((route) => pathPattern(route.path).test(path)).map((route) => route.method);
  if (allowed.length === 0) return new ServiceError('route_not_found', { detail: 'There is nothing at this path.' });
  const allow = allowed.join(', ');
  return new ServiceError('route_not_found', {
    detail: `This path does not take ${method}. It takes ${allow}.`,
    headers: { allow },
  });
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}
