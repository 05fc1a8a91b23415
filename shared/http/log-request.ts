import type middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Caller } from '#shared/contract/caller.ts';
import { now } from '#shared/core/clock.ts';
import { log } from '#shared/core/log.ts';
import { usage } from '#shared/core/usage.ts';
import { countRequest } from './count-request.ts';
import type { HttpEvent } from './http-event.ts';
import { visible } from './problem.ts';

/** Who asked what; each is undefined as long as it is not known. */
export interface Asked {
  readonly route: string | undefined;
  readonly caller: Caller | undefined;
}

type Started = { readonly startedAt: number };

type LoggedRequest<Event> = middy.Request<Event, APIGatewayProxyStructuredResultV2, Error, Context, Started>;
type LoggingMiddleware<Event> = middy.MiddlewareObj<Event, APIGatewayProxyStructuredResultV2, Error, Context, Started>;

/**
 * Logs one line a request: what was asked by whom, how it ended and what it cost; no header, no body, no e-mail address.
 * The same goes into the metrics, without the caller.
 */
export function logRequest<Event extends HttpEvent>(asked: (event: Event) => Asked): LoggingMiddleware<Event> {
  const write = ({ event, response, error, internal }: LoggedRequest<Event>) => {
    const { route, caller } = asked(event);
    const code = error ? visible(error).code : undefined;
    const durationMs = now().getTime() - internal.startedAt;
    log.info('request', {
      requestId: event.requestContext.requestId,
      route,
      status: response?.statusCode,
      ...(code === undefined ? {} : { code }),
      ...callerFields(caller),
      durationMs,
      ...usage(),
    });
    countRequest({ route, code, durationMs });
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
