import type { MiddlewareObj } from '@middy/core';
import { maxBodyBytes } from '#shared/contract/limits.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from './http-event.ts';

/** Refuses a body over 16 KB before anything is computed over it, and gives the others their bytes back. */
export function rejectLargeBody(): MiddlewareObj<HttpEvent> {
  return {
    before: ({ event }) => {
      event.bodyBytes = bodyBytes(event);
      if (event.bodyBytes.byteLength <= maxBodyBytes) return;
      throw new ServiceError('body_too_large', {
        detail: `The body has ${event.bodyBytes.byteLength} bytes; ${maxBodyBytes} are the most.`,
      });
    },
  };
}

/** API Gateway sends what it does not take for text as base64. */
function bodyBytes({ body, isBase64Encoded }: HttpEvent): Uint8Array {
  if (typeof body !== 'string') return new Uint8Array();
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}
