import type { MiddlewareObj } from '@middy/core';
import type { Door } from '#shared/contract/doors.ts';
import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import type { ServiceError } from '#shared/core/errors.ts';
import type { ConnectionCaller } from '#shared/domain/request/request-context.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../http-event.ts';
import { requireAllowedAddress } from '../middleware/allowed-address.ts';
import { endpoint } from '../middleware/endpoint.ts';
import { limitBody } from '../middleware/request-body.ts';
import { authenticateToken, type DoorEvent } from './authenticate-token.ts';

export interface DoorOptions {
  /** Whether it changes the table: each request is then logged in full, and has the time of a write. Default: false. */
  readonly writes?: boolean;
  /** The most bytes of a body. Default: that of all APIs. */
  readonly maxBytes?: number;
  /** After the token was verified. */
  readonly middlewares?: readonly MiddlewareObj<DoorEvent>[];
  readonly handle: (event: DoorEvent, caller: ConnectionCaller) => Promise<HttpResult>;
  /** The response to an error. Default: a problem document. */
  readonly respondTo?: (error: ServiceError, event: HttpEvent) => HttpResult;
}

/** The middleware stack of every endpoint for connections: address, size, token, then the door's own format. */
export function doorEndpoint({ name }: Door, options: DoorOptions): HttpHandler {
  const { writes = false, maxBytes, middlewares = [], handle, respondTo } = options;
  return endpoint<DoorEvent>({
    identify: ({ connection }) => ({ route: name, caller: connection }),
    isBrief: !writes,
    api: 'service',
    limitSeconds: writes ? undefined : attemptSeconds,
    middlewares: [requireAllowedAddress(), limitBody(maxBytes), authenticateToken(), ...middlewares],
    handle: async (event) => {
      if (event.connection === undefined) throw new Error('authenticateToken must run first');
      return handle(event, event.connection);
    },
    ...(respondTo && { respondTo }),
  });
}
