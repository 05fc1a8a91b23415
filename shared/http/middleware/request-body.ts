import { isUtf8 } from 'node:buffer';
import type { MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { type ContentRefusal, contentRefusal, maxBodyBytes } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from '../http-event.ts';
import { invalidRequest } from '../input.ts';

/** Refuses a body over this many bytes, by default 16 KB, before any processing; otherwise decodes its bytes. */
export function limitBody(maxBytes = maxBodyBytes): MiddlewareObj<HttpEvent> {
  return {
    before: ({ event }) => {
      event.bodyBytes = bodyBytes(event);
      if (event.bodyBytes.byteLength <= maxBytes) return;
      throw new ServiceError('body_too_large', {
        detail: `The body has ${event.bodyBytes.byteLength} bytes; the limit is ${maxBytes}.`,
      });
    },
  };
}

/** API Gateway base64-encodes bodies that it does not treat as text. */
function bodyBytes({ body, isBase64Encoded }: HttpEvent): Uint8Array {
  if (typeof body !== 'string') return new Uint8Array();
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

const parser = jsonBodyParser({ disableContentTypeCheck: true }).before as (request: object) => void;

/** Parses a JSON body if present; the schema decides whether one is required. */
export function parseJsonBody(): MiddlewareObj<HttpEvent> {
  return { before: ({ event }) => parseBody(event) };
}

/** The same for an endpoint that parses a body only once it knows the caller. */
export function parseBody(event: HttpEvent): void {
  if (event.bodyBytes === undefined || event.bodyBytes.byteLength === 0) {
    event.body = undefined;
    return;
  }
  requireContent(contentRefusal(event.headers));
  if (!isUtf8(event.bodyBytes)) throw malformedJson();
  try {
    parser({ event });
  } catch (error) {
    throw error instanceof Error && 'statusCode' in error ? malformedJson() : error;
  }
  requireObject(event.body);
}

/** Throws a refusal of the body by its headers; undefined if there is none. */
export function requireContent(refusal: ContentRefusal | undefined): void {
  if (refusal !== undefined) throw new ServiceError(refusal.code, { detail: refusal.detail });
}

/** All bodies are objects; a schema with only optional members would accept an array as an empty object. */
function requireObject(body: unknown): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw invalidRequest([{ pointer: '#', detail: 'must be a JSON object' }]);
}

function malformedJson(): ServiceError {
  return new ServiceError('malformed_json', { detail: 'The body cannot be parsed as JSON in UTF-8.' });
}
