/**
 * Reads the origin of the service, without a slash at the end; empty if there is none. Plain http to other machines is none:
 * anybody on the network could answer "enabled".
 */
export function readOrigin(baseUrl: unknown, allowHttp: unknown): string {
  const url = `${baseUrl}`;
  const href = URL.canParse(url) ? new URL(url).href : '';
  const [, origin = ''] = /^(https?:\/\/[^/@]+)\/(api\/service\/?)?$/.exec(href) ?? [];
  const isProtected = /^https:|\/\/(localhost|127\.0\.0\.1|\[::1])(:\d+)?$/.test(origin);
  return isProtected || allowHttp ? origin : '';
}
