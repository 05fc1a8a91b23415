import { sendRequest } from '#test/local/send-request.ts';

/** An answer that a browser has got. */
export interface Page {
  readonly status: number;
  readonly html: string;
  /** The address to which the answer redirects; throws if it does not. */
  location(): URL;
}

/** A browser. */
export interface Browser {
  /** Opens an address, or sends a form to it; `more` are headers in addition to those of a browser. */
  (url: string | URL, form?: Readonly<Record<string, string>>, more?: Readonly<Record<string, string>>): Promise<Page>;
  readonly cookies: ReadonlyMap<string, string>;
}

/**
 * Opens a browser that keeps cookies, of all ports of 127.0.0.1 in one jar as browsers do, and follows no redirect by itself. Unlike
 * `fetch` it sends no `Sec-Fetch-Mode: cors`, to which proxies answer 401 in place of a login.
 */
export function openRecipeBrowser(cookies: ReadonlyMap<string, string> = new Map()): Browser {
  const jar = new Map(cookies);
  const open = async (address: string | URL, form?: object, more?: object): Promise<Page> => {
    const url = new URL(address);
    const {
      status = 0,
      headers,
      body,
    } = await sendRequest(url.origin, {
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        accept: 'text/html',
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      },
      ...(form && { method: 'POST', body: String(new URLSearchParams({ ...form })) }),
    });
    for (const line of headers['set-cookie'] ?? []) keepCookie(jar, line);
    return {
      status,
      html: body,
      location: () => {
        const [target] = headers.location ?? [];
        if (target === undefined) throw new Error(`${url.pathname} was answered ${status} without a redirect: ${body}`);
        return new URL(target, url);
      },
    };
  };
  return Object.assign(open, { cookies: jar });
}

function keepCookie(jar: Map<string, string>, line: string): void {
  const [name = '', value = ''] = line.split(';', 1).join().split(/=(.*)/s, 2);
  if (value === '' || /;\s*max-age=0/i.test(line)) jar.delete(name);
  else jar.set(name, value);
}
