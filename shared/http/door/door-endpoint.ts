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
  /** After the token was verified. */
  readonly middlewares?: readonly MiddlewareObj<HttpEvent>[];
  readonly handle: (event: DoorEvent, caller: ConnectionCaller) => Promise<HttpResult>;
  /** The response to an error. Default: a problem document. */
  readonly respondTo?: (error: ServiceError, event: HttpEvent) => HttpResult;
}

/** The middleware stack of every endpoint for connections: address, size, token, then the door's own format. */
export function doorEndpoint({ name }: Door, { middlewares = [], handle, respondTo }: DoorOptions): HttpHandler {
  return endpoint<DoorEvent>({
    identify: ({ connection }) => ({ route: name, caller: connection }),
    isBrief: true,
    api: 'service',
    limitSeconds: attemptSeconds,
    middlewares: [requireAllowedAddress(), limitBody(), authenticateToken(), ...middlewares],
    handle: async (event) => {
      if (event.connection === undefined) throw new Error('authenticateToken must run first');
      return handle(event, event.connection);
    },
    ...(respondTo && { respondTo }),
  });
}
