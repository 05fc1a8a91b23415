import type { MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from './http-event.ts';

/** Parses a JSON body where there is one; whether there must be one is for the schema to say. */
export function parseJsonBody(): MiddlewareObj<HttpEvent> {
  const parse = jsonBodyParser().before as (request: object) => void;
  return {
    before: (request) => {
      const { event } = request;
      if (event.bodyBytes === undefined || event.bodyBytes.byteLength === 0) {
        event.body = undefined;
        return;
      }
      try {
        parse(request);
      } catch (error) {
        throw refusal(error);
      }
    },
  };
}

function refusal(error: unknown): unknown {
  if (!(error instanceof Error) || !('statusCode' in error)) return error;
  if (error.statusCode === 415) {
    return new ServiceError('unsupported_media_type', { detail: 'Send the body with Content-Type: application/json.' });
  }
  return new ServiceError('malformed_json', { detail: 'The body cannot be parsed as JSON.' });
}
