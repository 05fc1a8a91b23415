import type { ConformanceOptions } from './conformance-options.ts';

/** The status of an answer of the application, or why there was none. */
export type AskedStatus = number | 'no connection' | 'no answer in time';

/** Sends a GET to the guarded route, as one user with one browser. */
export type AskApplication = () => Promise<AskedStatus>;

/** Whose requests are sent: the user of the options, an unknown user, or nobody. */
export type Asking = 'user' | 'unknown' | 'nobody';

/** Creates a browser that keeps the application's cookies, so that a session which the application begins goes on. */
export function createBrowser(options: ConformanceOptions, asking: Asking = 'user'): AskApplication {
  const cookies = new Map<string, string>();
  return async () => {
    try {
      const response = await fetch(options.url, {
        headers: withCookies(headersOf(options, asking), cookies),
        redirect: 'manual',
        signal: AbortSignal.timeout(options.answerWithinMilliseconds),
      });
      await response.body?.cancel();
      keepCookies(response.headers.getSetCookie(), cookies);
      return response.status;
    } catch (error) {
      return Object(error).name === 'TimeoutError' ? 'no answer in time' : 'no connection';
    }
  };
}

/** The id of a user whom the service does not know. */
const unknownUserId = 'idp|conformance-unknown';

function headersOf({ headers, userHeader, userId }: ConformanceOptions, asking: Asking): [string, string][] {
  if (asking === 'nobody') return [];
  const named: [string, string][] = headers.map(([name, value]) => [name, value]);
  if (userHeader === undefined) return named;
  return [...named, [userHeader, asking === 'unknown' ? unknownUserId : userId]];
}

function withCookies(given: [string, string][], cookies: ReadonlyMap<string, string>): [string, string][] {
  const others = given.filter(([name]) => name.toLowerCase() !== 'cookie');
  const own = given.filter((header) => !others.includes(header)).map(([, value]) => value);
  const all = [...own, ...[...cookies].map(([name, value]) => `${name}=${value}`)];
  return all.length === 0 ? others : [...others, ['cookie', all.join('; ')]];
}

function keepCookies(set: readonly string[], cookies: Map<string, string>): void {
  for (const cookie of set) {
    const [, name = '', value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*(max-age=(0|-\d+)|expires=[^;]*1970)/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
