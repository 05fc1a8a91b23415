import { isIP } from 'node:net';

/** A range of addresses (RFC 4632, RFC 4291 section 2.3). */
export interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reads `203.0.113.0/24` or `2001:db8::/32`; undefined for anything else. */
export function readCidr(text: string): Cidr | undefined {
  const [, address = '', digits = ''] = /^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  const [version, prefix] = [isIP(address), Number(digits)];
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
