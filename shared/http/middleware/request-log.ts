import type middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Caller } from '#shared/contract/change.ts';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { now } from '#shared/core/clock.ts';
import { currentUsage, isColdStart, log, logBriefly, publishMetrics } from '#shared/core/telemetry.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';
import { toServiceError } from '../problem-response.ts';

/** Who asked for what; each is undefined as long as it is not known. */
export interface RequestIdentity {
  readonly route: string | undefined;
  readonly caller: LoggedCaller | undefined;
}

/** What the log says of a caller: an operator's role is not part of it. */
type LoggedCaller = Extract<Caller, { kind: 'api-key' }> | Omit<Extract<Caller, { kind: 'operator' }>, 'role'>;

/** What is written of a request. */
export interface RequestLogOptions<Event> {
  readonly identify: (event: Event) => RequestIdentity;
  /**
   * Whether a request that succeeds is one short line without metrics: for a read that has a function of its own, whose
   * requests and times Lambda counts itself.
   */
  readonly isBrief: boolean;
  /** Dimensions under which all refusals are counted together. Default: by their routes alone. */
  readonly countedTogether?: Readonly<Record<string, string>>;
}

type Started = { readonly startedAt: number; readonly isCold: boolean };

type LoggedRequest<Event> = middy.Request<Event, HttpResult, Error, Context, Started>;
type LoggingMiddleware<Event> = middy.MiddlewareObj<Event, HttpResult, Error, Context, Started>;

/**
 * Logs one line a request: what was asked by whom, how it ended and what it cost; no header, no body, no e-mail address.
 * The metrics get the same without the caller.
 */
export function requestLog<Event extends HttpEvent>(options: RequestLogOptions<Event>): LoggingMiddleware<Event> {
  const { identify, ...counting } = options;
  const write = ({ event, response, error, internal }: LoggedRequest<Event>) => {
    const { route, caller } = identify(event);
    const { requestId, http } = event.requestContext;
    const durationMs = now().getTime() - internal.startedAt;
    const answered = { requestId, route, status: response?.statusCode };
    const cold = internal.isCold ? { cold: true } : {};
    if (counting.isBrief && !error) {
      const { consumedCapacity } = currentUsage() ?? {};
      return logBriefly('request', { ...answered, ...keyField(caller), durationMs, consumedCapacity, ...cold });
    }
    const code = error ? toServiceError(error).code : undefined;
    const refused = code === undefined ? {} : { code, sourceIp: http.sourceIp };
    log.info('request', { ...answered, ...refused, ...callerFields(caller), durationMs, ...currentUsage(), ...cold });
    publishRequestMetrics({ route, code, durationMs, ...counting });
  };
  return {
    before: (request) => {
      Object.assign(request.internal, { startedAt: now().getTime(), isCold: isColdStart() });
    },
    after: write,
    onError: write,
  };
}

/** The id of a key names its application too. */
function keyField(caller: LoggedCaller | undefined) {
  return caller?.kind === 'api-key' ? { keyId: caller.keyId } : {};
}

function callerFields(caller: LoggedCaller | undefined) {
  if (caller === undefined) return {};
  return caller.kind === 'api-key' ? { appId: caller.appId, keyId: caller.keyId } : { operator: caller.id };
}

interface AnsweredRequest extends Omit<RequestLogOptions<never>, 'identify'> {
  readonly route: string | undefined;
  /** Undefined when it succeeded. */
  readonly code: ErrorCode | undefined;
  readonly durationMs: number;
}

/** Adds a request to the metrics of its route, unless Lambda's count it, and an error to those of its code. */
function publishRequestMetrics({ route = 'none', code, durationMs, isBrief, countedTogether }: AnsweredRequest): void {
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
  const isRefused = status > 0 && status < 500;
  const refused = { SignatureFailures: status === 401 ? 1 : 0, ...(isRefused && { Refusals: 1 }) };
  publishMetrics({ ...counted, ...refused }, { route });
  if (code !== undefined) publishMetrics({ Errors: 1 }, { route, code });
  if (!isRefused || countedTogether === undefined) return;
  publishMetrics({ ...refused, LimitedRequests: code === 'too_many_requests' ? 1 : 0 }, countedTogether);
}
