import type middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ServiceRoute } from '#shared/contract/routes.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { log } from '#shared/core/log.ts';
import type { ServiceEvent } from './service-event.ts';

type Request = middy.Request<ServiceEvent, APIGatewayProxyStructuredResultV2, Error, Context, { startedAt: number }>;

/** Logs one line a request: what was asked by whom and how it ended; no header, no body. */
export function logRequest(
  route: ServiceRoute,
): middy.MiddlewareObj<ServiceEvent, APIGatewayProxyStructuredResultV2, Error, Context, { startedAt: number }> {
  const write = ({ event, response, error, internal }: Request) => {
    const caller = event.signed?.context.caller;
    log.info('request', {
      requestId: event.requestContext.requestId,
      route: route.name,
      status: response?.statusCode,
      ...(error instanceof ServiceError ? { code: error.code } : {}),
      ...(caller?.kind === 'api-key' ? { appId: caller.appId, keyId: caller.keyId } : {}),
      durationMs: now().getTime() - internal.startedAt,
    });
  };
  return {
    before: ({ internal }: Request) => {
      internal.startedAt = now().getTime();
    },
    after: write,
    onError: write,
  };
}
