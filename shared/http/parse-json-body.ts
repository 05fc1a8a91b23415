import { isUtf8 } from 'node:buffer';
import type { MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { ServiceError } from '#shared/core/errors.ts';
import { invalidRequest } from './field-errors.ts';
import type { HttpEvent } from './http-event.ts';

/** Parses a JSON body where there is one; whether there must be one is for the schema to say. */
export function parseJsonBody(): MiddlewareObj<HttpEvent> {
  const parse = jsonBodyParser({ disableContentTypeCheck: true }).before as (request: object) => void;
  return {
    before: (request) => {
      const { event } = request;
      if (event.bodyBytes === undefined || event.bodyBytes.byteLength === 0) {
        event.body = undefined;
        return;
      }
      refuseOtherType(event.headers['content-type']);
      if (!isUtf8(event.bodyBytes)) throw malformedJson();
      try {
        parse(request);
      } catch (error) {
        throw refusal(error);
      }
      refuseOtherThanObject(event.body);
    },
  };
}

/** The parser's own check takes no white space before the parameters (RFC 9110 section 5.6.6). */
function refuseOtherType(contentType = ''): void {
  if (/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)) return;
  throw new ServiceError('unsupported_media_type', { detail: 'Send the body with Content-Type: application/json.' });
}

/** All bodies are objects; a schema of optional members alone would take a list for an empty one. */
function refuseOtherThanObject(body: unknown): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw invalidRequest([{ pointer: '#', detail: 'must be a JSON object' }]);
}

function refusal(error: unknown): unknown {
  return error instanceof Error && 'statusCode' in error ? malformedJson() : error;
}

function malformedJson(): ServiceError {
  return new ServiceError('malformed_json', { detail: 'The body cannot be parsed as JSON in UTF-8.' });
}
