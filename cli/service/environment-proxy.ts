import * as http from 'node:http';

/** Hosts on this machine, and those from which programs on AWS get their credentials. */
const neverByProxy = [
  'localhost',
  '127.0.0.1',
  '::1',
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::254',
];

/**
 * Lets all requests of this process go through the proxy that HTTPS_PROXY and HTTP_PROXY name, but for the hosts of NO_PROXY;
 * their names may be in lower case. Returns a warning if this version of Node.js cannot do that.
 */
export function followProxy(env: NodeJS.ProcessEnv): string | undefined {
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY, no_proxy, NO_PROXY, NODE_USE_ENV_PROXY } = env;
  const [https, plain] = [https_proxy || HTTPS_PROXY, http_proxy || HTTP_PROXY];
  if (!https && !plain) return undefined;
  const { setGlobalProxyFromEnv } = http as Partial<Pick<typeof http, 'setGlobalProxyFromEnv'>>;
  if (setGlobalProxyFromEnv === undefined) return NODE_USE_ENV_PROXY === '1' ? undefined : tooOld;
  const exceptions = [no_proxy || NO_PROXY, ...neverByProxy].filter(Boolean).join(',');
  setGlobalProxyFromEnv({
    ...(https && { https_proxy: https }),
    ...(plain && { http_proxy: plain }),
    no_proxy: exceptions,
  });
  return undefined;
}

const tooOld = `HTTPS_PROXY is ignored by Node.js ${process.version}: use Node.js 24.14 or later, or set NODE_USE_ENV_PROXY=1 with 22.21 or later.`;
