import { BlockList, isIP } from 'node:net';
import type { MiddlewareObj } from '@middy/core';
import type { Cidr } from '#shared/contract/cidr.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from './http-event.ts';

/**
 * Refuses whoever calls from outside the allow list, if there is one, before anything is computed. The address is that of
 * the connection to API Gateway, which no header changes; behind a proxy it is the proxy's.
 */
export function rejectUnlistedAddress(): MiddlewareObj<HttpEvent> {
  const isListed = addressFilter(config.allowedCidrs);
  return {
    before: ({ event }) => {
      const { sourceIp } = event.requestContext.http;
      if (isListed(sourceIp)) return;
      throw new ServiceError('address_not_allowed', { detail: `This service takes no requests from ${sourceIp}.` });
    },
  };
}

/** Whether an address is in one of the ranges; without ranges every one is. */
export function addressFilter(ranges: readonly Cidr[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true;
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
