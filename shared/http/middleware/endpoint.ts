import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import { now, outOfTime, runUntil } from '#shared/core/clock.ts';
import type { ServiceError } from '#shared/core/errors.ts';
import { log, trackUsage } from '#shared/core/telemetry.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../http-event.ts';
import { answerHeaders, problemResponse, toServiceError } from '../problem-response.ts';
import { type RequestLogOptions, requestLog } from './request-log.ts';

export interface EndpointOptions<Event extends HttpEvent> extends RequestLogOptions<Event> {
  /** In the order in which they run. */
  readonly middlewares: readonly MiddlewareObj<Event>[];
  readonly handle: (event: Event, context: Context) => Promise<HttpResult>;
  /** The time limit for sending requests. Default: shortly before the function's timeout. */
  readonly limitSeconds?: number | undefined;
  /** The response to an error. Default: a problem document. */
  readonly respondTo?: (error: ServiceError, event: Event) => HttpResult;
}

/** How long before Lambda's timeout the response must be ready, and how long before it the last request may be sent. */
const answerMilliseconds = 500;
const lastSendMilliseconds = 1000;

/** The stack shared by both APIs: usage, timeout, log, errors; then the API's own middleware and its operation. */
export function endpoint<Event extends HttpEvent>(options: EndpointOptions<Event>) {
  const { middlewares, handle, limitSeconds } = options;
  const endOf = (context: Context) => endOfRequest(context, limitSeconds);
  const stack = middy<Event, HttpResult>(handle, {
    timeoutEarlyInMillis: answerMilliseconds,
    timeoutEarlyResponse: answerTimeout,
  });
  for (const middleware of [requestLog(options), errorHandler(options), ...middlewares]) stack.use(middleware);
  // For Middy, who calls the handler passes the whole event; here Lambda does, and middleware adds the rest of `Event`.
  return ((event, context) =>
    runUntil(endOf(context), () => trackUsage(() => stack(event as Event, context)))) satisfies HttpHandler;
}

/** The deadline for sending anything, in milliseconds since the epoch. */
function endOfRequest(context: Context, limitSeconds = Number.POSITIVE_INFINITY): number {
  const remaining = context.getRemainingTimeInMillis() - lastSendMilliseconds;
  return now().getTime() + Math.min(remaining, limitSeconds * 1000);
}

/** Turns any thrown value into a response; logs it in full when the service is at fault. */
function errorHandler<Event extends HttpEvent>({
  respondTo = (error, event) => problemResponse(error, event.requestContext.requestId),
}: Pick<EndpointOptions<Event>, 'respondTo'>): MiddlewareObj<Event> {
  return {
    onError: (request) => {
      const { requestId } = request.event.requestContext;
      const error = toServiceError(request.error);
      if (error.status >= 500) log.error(error.message, { requestId, error: asError(error.options.cause ?? error) });
      request.response = respondTo(error, request.event);
    },
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Thrown: ${typeof thrown}`);
}

/** Answers before Lambda's timeout, which callers would see as a 503 without a body. */
function answerTimeout(): never {
  throw outOfTime();
}

/** A JSON response; a `version` in it also becomes the ETag. */
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
