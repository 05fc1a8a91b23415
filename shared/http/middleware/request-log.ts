import type middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Caller } from '#shared/contract/change.ts';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { now } from '#shared/core/clock.ts';
import { currentUsage, log, publishMetrics } from '#shared/core/telemetry.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';
import { toServiceError } from '../problem-response.ts';

/** Who asked for what; each is undefined as long as it is not known. */
export interface RequestIdentity {
  readonly route: string | undefined;
  readonly caller: Caller | undefined;
}

type Started = { readonly startedAt: number };

type LoggedRequest<Event> = middy.Request<Event, HttpResult, Error, Context, Started>;
type LoggingMiddleware<Event> = middy.MiddlewareObj<Event, HttpResult, Error, Context, Started>;

/**
 * Logs one line a request: what was asked by whom, how it ended and what it cost; no header, no body, no e-mail address.
 * The metrics get the same without the caller.
 */
export function requestLog<Event extends HttpEvent>(
  identify: (event: Event) => RequestIdentity,
): LoggingMiddleware<Event> {
  const write = ({ event, response, error, internal }: LoggedRequest<Event>) => {
    const { route, caller } = identify(event);
    const code = error ? toServiceError(error).code : undefined;
    const durationMs = now().getTime() - internal.startedAt;
    log.info('request', {
      requestId: event.requestContext.requestId,
      route,
      status: response?.statusCode,
      ...(code === undefined ? {} : { code }),
      ...callerFields(caller),
      durationMs,
      ...currentUsage(),
    });
    publishRequestMetrics({ route, code, durationMs });
  };
  return {
    before: (request) => {
      Object.assign(request.internal, { startedAt: now().getTime() });
    },
    after: write,
    onError: write,
  };
}

function callerFields(caller: Caller | undefined) {
  if (caller === undefined) return {};
  return caller.kind === 'api-key' ? { appId: caller.appId, keyId: caller.keyId } : { operator: caller.id };
}

interface AnsweredRequest {
  readonly route: string | undefined;
  /** Undefined when it succeeded. */
  readonly code: ErrorCode | undefined;
  readonly durationMs: number;
}

/** Adds a request to the metrics of its route, and an error to those of its code. */
function publishRequestMetrics({ route = 'none', code, durationMs }: AnsweredRequest): void {
  const { dynamoDbRequests = 0, consumedCapacity = 0 } = currentUsage() ?? {};
  const values = {
    Requests: 1,
    LatencyMilliseconds: durationMs,
    DynamoDbRequests: dynamoDbRequests,
    ConsumedCapacity: consumedCapacity,
    SignatureFailures: code !== undefined && errorCatalogue[code].status === 401 ? 1 : 0,
    ReplaysRefused: code === 'nonce_replayed' ? 1 : 0,
  };
  const isRefused = code !== undefined && errorCatalogue[code].status < 500;
  publishMetrics(isRefused ? { ...values, Refusals: 1 } : values, { route });
  if (code !== undefined) publishMetrics({ Errors: 1 }, { route, code });
}
