import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** As the system resolves it, the IPv4 addresses first: a function without a VPC has no other way out. */
export const resolveHost: Resolve = (host) => lookup(host, { all: true, order: 'ipv4first' });

/**
 * Whether an address is one of the public Internet: not private, loopback, link-local (with the metadata service), shared
 * (RFC 6598), multicast or reserved, and not an IPv6 form of an IPv4 address, which could be any of these.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  // 2000::/3 is all that is assigned for global unicast (RFC 4291 section 2.4, IANA's registry).
  const isAssigned = parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
  return isAssigned && parsed.range() === 'unicast';
}
