import { createHash, randomBytes } from 'node:crypto';

/** A login to perform; everything except the operator can be wrong. */
export interface Login {
  readonly operator: string;
  readonly redirectUri?: string;
  readonly scope?: string;
  /** Parameters to add to the authorization request or to replace in it. */
  readonly more?: Readonly<Record<string, string>>;
}

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

/** Opens a browser that follows redirects of one site and keeps its cookies. */
export function openBrowser() {
  const jar = new Map<string, string>();
  return async (url: string | URL, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const init = form && { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(url, { ...init, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1).join().split(/=(.*)/s, 2);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
}

/** Returns the redirect target of a response. */
export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? '', response.url);
}

/** Creates a PKCE verifier and the matching authorization request. */
export function authorizationRequest(issuer: string, { redirectUri = 'http://127.0.0.1:5173/', ...login }: Login) {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(`${issuer}/auth`);
  url.search = String(
    new URLSearchParams({
      client_id: 'dashboard',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: login.scope ?? 'openid email auth-service/manage',
      state: 'state-1',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...login.more,
    }),
  );
  return { url, verifier, redirectUri };
}

/** Goes through the login page and returns the final redirect target. */
export async function goThrough(browser: ReturnType<typeof openBrowser>, url: URL, operator: string): Promise<URL> {
  const page = locationOf(await browser(url));
  const resumed = locationOf(await browser(page, { operator }));
  return locationOf(await browser(resumed));
}

/** Requests tokens as the client `dashboard`. */
export async function askForTokens(issuer: string, form: Record<string, string>): Promise<Response> {
  return await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'dashboard', ...form }),
  });
}

/** Performs the whole authorization code flow with PKCE, as a browser and the dashboard do. */
export async function logIn(issuer: string, login: Login, browser = openBrowser()): Promise<Tokens> {
  const { url, verifier, redirectUri } = authorizationRequest(issuer, login);
  const callback = await goThrough(browser, url, login.operator);
  const answer = await askForTokens(issuer, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  return (await answer.json()) as Tokens;
}
