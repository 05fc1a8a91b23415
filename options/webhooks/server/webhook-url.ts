import { isIP } from 'node:net';
import { webhookConfig } from './webhook-config.ts';

/**
 * Why nothing can be posted to a URL; undefined if it can. The URL parser has normalized the host, so an address in decimal or
 * octal digits is an address here. Where a name leads is checked when it is resolved, at each delivery.
 */
export function webhookUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (url.hash !== '') return 'must not have a fragment';
  if (isAllowedLoopback(url)) return undefined;
  if (url.protocol !== 'https:') return 'must be an https URL';
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return 'must name a host, not an address';
  const port = url.port === '' ? 443 : Number(url.port);
  return port === 443 || port > 1023 ? undefined : 'must use port 443 or one above 1023';
}

/** A receiver on this machine, for development: only in a local run. */
export function isAllowedLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && hostname === '127.0.0.1' && webhookConfig().allowsLoopback;
}
