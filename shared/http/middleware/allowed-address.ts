import { BlockList, isIP } from 'node:net';
import type { MiddlewareObj } from '@middy/core';
import { type Cidr, config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from '../http-event.ts';

/**
 * Refuses callers outside the allow list, if there is one, before any processing. The address is that of the
 * connection to API Gateway, which headers cannot change; behind a proxy it is the proxy's.
 */
export function requireAllowedAddress(): MiddlewareObj<HttpEvent> {
  const isAllowed = addressFilter(config().allowedCidrs);
  return {
    before: ({ event }) => {
      const { sourceIp } = event.requestContext.http;
      if (isAllowed(sourceIp)) return;
      throw new ServiceError('address_not_allowed', { detail: `Requests from ${sourceIp} are not allowed.` });
    },
  };
}

/** Whether an address is in one of the ranges; an empty list allows every address. */
export function addressFilter(ranges: readonly Cidr[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true;
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
