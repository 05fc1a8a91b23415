import type middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Caller } from '#shared/contract/change.ts';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type { ApiDimensions } from '#shared/contract/metrics.ts';
import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { currentUsage, isColdStart, log, logBriefly, publishMetrics } from '#shared/core/telemetry.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';
import { toServiceError } from '../problem-response.ts';

/** The route and caller of a request; undefined until known. */
export interface RequestIdentity {
  readonly route: string | undefined;
  readonly caller: LoggedCaller | undefined;
}

/** A caller as it is logged, without an operator's role or a connection's token. */
type LoggedCaller =
  | Extract<Caller, { kind: 'api-key' }>
  | Omit<Extract<Caller, { kind: 'operator' }>, 'role'>
  | { readonly kind: 'connection'; readonly connectionId: string; readonly keyId: string };

/** How a request is logged. */
export interface RequestLogOptions<Event> {
  readonly identify: (event: Event) => RequestIdentity;
  /**
   * Whether a successful request is logged as one short line without metrics: for reads with a function of their own, whose
   * invocations and durations Lambda measures.
   */
  readonly isBrief: boolean;
  /** The API, under which requests of all its routes are counted together. */
  readonly api: ApiDimensions['api'];
}

type Started = { readonly startedAt: number; readonly isCold: boolean };

type LoggedRequest<Event> = middy.Request<Event, HttpResult, Error, Context, Started>;
type LoggingMiddleware<Event> = middy.MiddlewareObj<Event, HttpResult, Error, Context, Started>;

/**
 * Logs one line per request: caller, route, outcome and cost; no headers, body or e-mail address.
 * The metrics record the same without the caller.
 */
export function requestLog<Event extends HttpEvent>(options: RequestLogOptions<Event>): LoggingMiddleware<Event> {
  const { identify, ...counting } = options;
  const write = ({ event, context, response, error, internal }: LoggedRequest<Event>) => {
    const { route, caller } = identify(event);
    const { requestId, http } = event.requestContext;
    const durationMs = now().getTime() - internal.startedAt;
    const answered = { requestId, route, status: response?.statusCode, sourceIp: http.sourceIp };
    const isCounted = !isReleaseCheck(context);
    if (isCounted && isCanary(caller)) publishMetrics({ CanaryRequests: 1 });
    const cold = internal.isCold ? { cold: true } : {};
    if (counting.isBrief && !error) {
      const { consumedCapacity } = currentUsage() ?? {};
      return logBriefly('request', { ...answered, ...keyField(caller), durationMs, consumedCapacity, ...cold });
    }
    const code = error ? toServiceError(error).code : undefined;
    const refused = code === undefined ? {} : { code };
    log.info('request', { ...answered, ...refused, ...callerFields(caller), durationMs, ...currentUsage(), ...cold });
    if (isCounted) publishRequestMetrics({ route, code, durationMs, ...counting });
  };
  return {
    before: (request) => {
      Object.assign(request.internal, { startedAt: now().getTime(), isCold: isColdStart() });
    },
    after: write,
    onError: write,
  };
}

/** Whether a version was invoked by its number, which only the check of a release does: it has no callers yet. */
function isReleaseCheck({ invokedFunctionArn }: Pick<Context, 'invokedFunctionArn'>): boolean {
  return /:\d+$/.test(invokedFunctionArn);
}

/** Whether the canary of this Region sent the request: then it does not show that anybody else uses the service. */
function isCanary(caller: LoggedCaller | undefined): boolean {
  return caller?.kind === 'api-key' && caller.appId === `canary-${config().region}`;
}

/** A key id contains its application or connection. */
function keyField(caller: LoggedCaller | undefined) {
  return caller === undefined || caller.kind === 'operator' ? {} : { keyId: caller.keyId };
}

function callerFields(caller: LoggedCaller | undefined) {
  if (caller === undefined) return {};
  if (caller.kind === 'operator') return { operator: caller.id };
  const { kind: _, ...ids } = caller;
  return ids;
}

interface AnsweredRequest extends Omit<RequestLogOptions<never>, 'identify'> {
  readonly route: string | undefined;
  /** Undefined on success. */
  readonly code: ErrorCode | undefined;
  readonly durationMs: number;
}

/** Adds a request to the metrics of its route, unless Lambda counts it, and an error to those of its code. */
function publishRequestMetrics({ route = 'none', code, durationMs, isBrief, api }: AnsweredRequest): void {
  const { dynamoDbRequests = 0, consumedCapacity = 0 } = currentUsage() ?? {};
  const counted = isBrief
    ? {}
    : {
        Requests: 1,
        LatencyMilliseconds: durationMs,
        DynamoDbRequests: dynamoDbRequests,
        ConsumedCapacity: consumedCapacity,
        ReplaysRefused: code === 'nonce_replayed' ? 1 : 0,
      };
  const status = code === undefined ? 0 : errorCatalogue[code].status;
  const isFailure = status >= 500;
  const isRefused = status > 0 && !isFailure;
  const refused = { SignatureFailures: status === 401 ? 1 : 0, ...(isRefused && { Refusals: 1 }) };
  publishMetrics({ ...counted, ...refused, ...(isFailure && { Failures: 1 }) }, { route });
  if (code !== undefined) publishMetrics({ Errors: 1 }, { route, code });
  if (isFailure && api === 'manage') publishMetrics({ Failures: 1 }, { api });
  if (!isRefused || api !== 'service') return;
  publishMetrics({ ...refused, LimitedRequests: code === 'too_many_requests' ? 1 : 0 }, { api });
}
