import type { MiddlewareObj } from '@middy/core';
import { log } from '#shared/core/log.ts';
import type { HttpEvent } from './http-event.ts';
import { problemResponse, visible } from './problem.ts';

/** Turns whatever was thrown into a problem document; logs all of it when the fault is ours. */
export function answerProblems(): MiddlewareObj<HttpEvent> {
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
