import middy, { type MiddlewareObj } from '@middy/core';
import { ServiceError } from '#shared/core/errors.ts';
import { log, trackUsage } from '#shared/core/telemetry.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../http-event.ts';
import { answerHeaders, problemResponse, toServiceError } from '../problem-response.ts';
import { type RequestIdentity, requestLog } from './request-log.ts';

export interface EndpointOptions<Event extends HttpEvent> {
  /** What the log says of a request beside its outcome. */
  readonly identify: (event: Event) => RequestIdentity;
  /** In the order in which a request passes them. */
  readonly middlewares: readonly MiddlewareObj<Event>[];
  readonly handle: (event: Event) => Promise<HttpResult>;
}

/** The stack that both APIs share: usage, time-out, log, errors; then the API's own middlewares and its operation. */
export function endpoint<Event extends HttpEvent>({ identify, middlewares, handle }: EndpointOptions<Event>) {
  const stack = middy({ timeoutEarlyInMillis: 500, timeoutEarlyResponse: answerTimeout })
    .use(requestLog(identify))
    .use(errorHandler());
  for (const middleware of middlewares) stack.use(middleware as MiddlewareObj);
  const handler = stack.handler(handle as never) as unknown as HttpHandler;
  return ((event, context) => trackUsage(() => handler(event, context))) satisfies HttpHandler;
}

/** Turns whatever was thrown into a problem document; logs all of it when the fault is the service's. */
function errorHandler(): MiddlewareObj<HttpEvent> {
  return {
    onError: (request) => {
      const { requestId } = request.event.requestContext;
      const error = toServiceError(request.error);
      if (error.status >= 500) log.error(error.message, { requestId, error: asError(error.options.cause ?? error) });
      request.response = problemResponse(error, requestId);
    },
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Thrown: ${typeof thrown}`);
}

/** Answers before Lambda's own time-out would, which callers see as a bare 503. */
function answerTimeout(): never {
  throw new ServiceError('unavailable', { detail: 'The database is slow right now. Try again.' });
}

/** An answer as JSON; one with a `version` gets it as its ETag too. */
export function jsonResponse(body: object, status = 200): HttpResult {
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      ...answerHeaders,
      ...('version' in body ? { etag: `"${body.version}"` } : {}),
      ...(status === 202 ? { 'retry-after': '1' } : {}),
    },
    body: JSON.stringify(body),
  };
}
