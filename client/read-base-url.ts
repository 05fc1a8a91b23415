/**
 * Where the service answers, without a slash at the end. Plain http is refused beyond this machine: whoever stands in
 * between could not sign a request, but answer "enabled".
 */
export function readBaseUrl(baseUrl: string | URL, allowHttp: boolean | undefined): string {
  const [, origin = ''] = /^(https?:\/\/[^/@]+)\/(api\/service\/?)?$/.exec(new URL(baseUrl).href) ?? [];
  const isGuarded = /^https:|\/\/(localhost|127\.0\.0\.1|\[::1])(:\d+)?$/.test(origin);
  if (origin && (isGuarded || allowHttp)) return origin;
  throw new TypeError('baseUrl must be https://host');
}
