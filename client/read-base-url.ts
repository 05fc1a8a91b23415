/**
 * Reads the origin of the service, without a slash at the end. Plain http to other machines is refused: anybody on the
 * network could answer "enabled".
 */
export function readBaseUrl(baseUrl: string | URL, allowHttp: boolean | undefined): string {
  const [, origin = ''] = /^(https?:\/\/[^/@]+)\/(api\/service\/?)?$/.exec(new URL(baseUrl).href) ?? [];
  const isProtected = /^https:|\/\/(localhost|127\.0\.0\.1|\[::1])(:\d+)?$/.test(origin);
  if (origin && (isProtected || allowHttp)) return origin;
  throw new TypeError('baseUrl must be https://host, or http://host with allowHttp');
}
