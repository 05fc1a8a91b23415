import type { MiddlewareObj } from '@middy/core';
import { ServiceError } from '#shared/core/errors.ts';
import type { ConnectionCaller } from '#shared/domain/request/request-context.ts';
import type { HttpEvent } from '#shared/http/http-event.ts';
import { verifyToken } from '../server/connection-token.ts';

/** An event of an endpoint for connections. */
export interface BearerEvent extends HttpEvent {
  /** Set by `authenticateToken`, after which the caller is known. */
  connection?: ConnectionCaller;
}

/** Finds the token of a request; undefined if there is none. */
export type TokenReader = (event: Pick<HttpEvent, 'headers' | 'cookies'>) => string | undefined;

/** Accepts only requests with a valid bearer token (RFC 6750); reads no table, so a forged token costs no table request. */
export function authenticateToken(
  tokenOf: TokenReader = ({ headers }) => readToken(headers.authorization),
): MiddlewareObj<BearerEvent> {
  return {
    before: async ({ event }) => {
      const token = tokenOf(event);
      if (token === undefined) {
        throw new ServiceError('token_missing', {
          detail: 'Send the token of a connection in Authorization: Bearer svt_…',
          headers: challenge,
        });
      }
      const key = await verifyToken(token);
      if (key === undefined) {
        throw new ServiceError('token_invalid', {
          detail: 'This is not a token of this service. Check that it was copied completely.',
          headers: challenge,
        });
      }
      const { connectionId, keyId } = key;
      event.connection = { kind: 'connection', connectionId, keyId };
    },
  };
}

const challenge = { 'www-authenticate': 'Bearer' };

/** The token of an `Authorization` header, whose scheme has no case; undefined if there is none. */
export function readToken(authorization: string | undefined): string | undefined {
  const [, token] = /^\s*bearer +(\S+)\s*$/i.exec(authorization ?? '') ?? [];
  return token;
}
