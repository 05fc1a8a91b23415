import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import type { Problem } from '#shared/contract/problem.ts';
import { ServiceError } from '#shared/core/errors.ts';

/** The one function that decides what the outside sees of an error: a problem document (RFC 9457). */
export function problemResponse(error: unknown, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { code, options } = visible(error);
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
      'cache-control': 'no-store',
      ...(status === 503 ? { 'retry-after': '1' } : {}),
      ...options.headers,
    },
    body: JSON.stringify(problem),
  };
}

/** What is not a ServiceError says nothing outside; the log has all of it under the request id. */
export function visible(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('internal', { detail: 'This is our fault. Tell us the request id.', cause: error });
}
