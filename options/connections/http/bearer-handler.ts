import type { MiddlewareObj } from '@middy/core';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import type { ServiceError } from '#shared/core/errors.ts';
import type { ConnectionCaller } from '#shared/domain/request/request-context.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '#shared/http/http-event.ts';
import { requireAllowedAddress } from '#shared/http/middleware/allowed-address.ts';
import { endpoint } from '#shared/http/middleware/endpoint.ts';
import { limitBody } from '#shared/http/middleware/request-body.ts';
import { authenticateToken, type BearerEvent, type TokenReader } from './authenticate-token.ts';

export interface BearerHandlerOptions {
  /** Whether it changes the table: each request is then logged in full, and has the time of a write. Default: false. */
  readonly writes?: boolean;
  /** How long a read may send requests. Default: 5. */
  readonly limitSeconds?: number;
  /** The most bytes of a body. Default: that of all APIs. */
  readonly maxBytes?: number;
  /** Where the token is. Default: `Authorization: Bearer`. */
  readonly tokenOf?: TokenReader;
  /** After the token was verified. */
  readonly middlewares?: readonly MiddlewareObj<BearerEvent>[];
  readonly handle: (event: BearerEvent, caller: ConnectionCaller) => Promise<HttpResult>;
  /** The response to an error. Default: a problem document. */
  readonly respondTo?: (error: ServiceError, event: HttpEvent) => HttpResult;
}

/** The middleware stack of every endpoint for connections: address, size, token, then its own format. */
export function bearerHandler({ name }: BearerEndpoint, options: BearerHandlerOptions): HttpHandler {
  const {
    writes = false,
    limitSeconds = attemptSeconds,
    maxBytes,
    tokenOf,
    middlewares = [],
    handle,
    respondTo,
  } = options;
  return endpoint<BearerEvent>({
    identify: ({ connection }) => ({ route: name, caller: connection }),
    isBrief: !writes,
    api: 'service',
    limitSeconds: writes ? undefined : limitSeconds,
    middlewares: [requireAllowedAddress(), limitBody(maxBytes), authenticateToken(tokenOf), ...middlewares],
    handle: async (event) => {
      if (event.connection === undefined) throw new Error('authenticateToken must run first');
      return handle(event, event.connection);
    },
    ...(respondTo && { respondTo }),
  });
}
