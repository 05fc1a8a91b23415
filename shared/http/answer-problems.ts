import type { MiddlewareObj } from '@middy/core';
import { log } from '#shared/core/log.ts';
import { problemResponse, visible } from './problem.ts';
import type { ServiceEvent } from './service-event.ts';

/** Turns whatever was thrown into a problem document; logs all of it when the fault is ours. */
export function answerProblems(): MiddlewareObj<ServiceEvent> {
  return {
    onError: (request) => {
      const { requestId } = request.event.requestContext;
      const error = visible(request.error);
      if (error.status >= 500) log.error(error.message, { requestId, error: asError(error.options.cause ?? error) });
      request.response = problemResponse(error, requestId);
    },
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Thrown: ${typeof thrown}`);
}
