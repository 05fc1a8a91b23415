import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type DevelopmentLogin, serveDevelopmentLogin } from '../../local/development-login.ts';
import { askForTokens, authorizationRequest, goThrough, locationOf, logIn, openBrowser } from './log-in.ts';
import { sendRequest } from './send-request.ts';

let login: DevelopmentLogin;
const failures: string[] = [];
beforeAll(async () => {
  login = await serveDevelopmentLogin({ port: 0, log: (line) => failures.push(line) });
});
afterAll(async () => {
  await login.close();
  expect(failures).toEqual([]);
});

const edith = { operator: 'edith' };

async function openLoginPage(browser = openBrowser()) {
  const url = locationOf(await browser(authorizationRequest(login.issuer, edith).url));
  return { url, page: await browser(url) };
}

describe('the code flow', () => {
  test('issues tokens for the client, with the operator who logged in', async () => {
    const tokens = await logIn(login.issuer, edith);
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      iss: login.issuer,
      aud: 'dashboard',
      client_id: 'dashboard',
      sub: 'edith',
      email: 'edith@example.com',
      scope: 'openid email auth-service/manage',
    });
    expect(decodeJwt(tokens.id_token)).toMatchObject({ aud: 'dashboard', sub: 'edith', email: 'edith@example.com' });
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
  });

  test('grants only the requested scopes', async () => {
    const { access_token } = await logIn(login.issuer, { ...edith, scope: 'openid profile' });
    expect(decodeJwt(access_token).scope).toBe('openid profile');
  });

  test('accepts any operator name', async () => {
    const { id_token } = await logIn(login.issuer, { operator: 'Ann.B-2', scope: 'openid profile email' });
    expect(decodeJwt(id_token)).toMatchObject({ sub: 'Ann.B-2', name: 'Ann.B-2', email: 'Ann.B-2@example.com' });
  });

  test.each([
    'http://127.0.0.1:3000/',
    'http://localhost:3000/',
    'http://127.0.0.1:5173/',
    'http://localhost:5173/',
    'http://127.0.0.1:49152/callback',
  ])('redirects to %s', async (redirectUri) => {
    const { url } = authorizationRequest(login.issuer, { ...edith, redirectUri });
    const callback = await goThrough(openBrowser(), url, 'edith');
    expect(`${callback.origin}${callback.pathname}`).toBe(redirectUri);
    expect(callback.searchParams.get('state')).toBe('state-1');
    expect(callback.searchParams.get('iss')).toBe(login.issuer);
  });

  test.each([
    'https://evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1:3000/elsewhere',
    'http://[::1]/',
  ])('does not redirect to %s', async (redirectUri) => {
    const response = await fetch(authorizationRequest(login.issuer, { ...edith, redirectUri }).url, {
      redirect: 'manual',
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).toContain('redirect_uri');
  });

  test('requires PKCE with SHA-256', async () => {
    const { url } = authorizationRequest(login.issuer, { ...edith, more: { code_challenge_method: 'plain' } });
    url.searchParams.delete('code_challenge');
    const response = await fetch(url, { redirect: 'manual' });
    expect(locationOf(response).searchParams.get('error')).toBe('invalid_request');
  });

  test('rejects a wrong verifier and a used code', async () => {
    const { url, verifier, redirectUri } = authorizationRequest(login.issuer, edith);
    const code = (await goThrough(openBrowser(), url, 'edith')).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    expect((await askForTokens(login.issuer, { ...form, code_verifier: 'x'.repeat(43) })).status).toBe(400);
    expect((await askForTokens(login.issuer, { ...form, code_verifier: verifier })).status).toBe(200);
    expect((await askForTokens(login.issuer, { ...form, code_verifier: verifier })).status).toBe(400);
  });

  test('asks for the operator only once per browser', async () => {
    const browser = openBrowser();
    await logIn(login.issuer, edith, browser);
    const again = locationOf(await browser(authorizationRequest(login.issuer, edith).url));
    expect(again.searchParams.has('code')).toBe(true);
  });
});

describe('a refresh token', () => {
  const refresh = (refresh_token: string) => askForTokens(login.issuer, { grant_type: 'refresh_token', refresh_token });

  test('can be exchanged for new tokens once', async () => {
    const { refresh_token } = await logIn(login.issuer, edith);
    const renewed = await refresh(refresh_token);
    const tokens = (await renewed.json()) as { access_token: string; refresh_token: string };
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'edith', scope: 'openid email auth-service/manage' });
    expect(tokens.refresh_token).not.toBe(refresh_token);
    expect((await refresh(refresh_token)).status).toBe(400);
  });

  test('becomes invalid on logout', async () => {
    const browser = openBrowser();
    const { refresh_token, id_token } = await logIn(login.issuer, edith, browser);
    const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: 'http://localhost:5173/' });
    const page = await (await browser(`${login.issuer}/session/end?${query}`)).text();
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    expect(page).toContain('<input type="hidden" name="logout" value="yes" form="op.logoutForm">');
    expect(locationOf(await browser(action, { xsrf, logout: 'yes' })).href).toBe('http://localhost:5173/');
    expect((await refresh(refresh_token)).status).toBe(400);
    const next = locationOf(await browser(authorizationRequest(login.issuer, edith).url));
    expect(next.pathname).toMatch(/^\/interaction\//);
  });
});

describe('the login page', () => {
  test('says that it is for development, and offers one operator of each kind and a text field', async () => {
    const html = await (await openLoginPage()).page.text();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('<title>Development login</title>');
    expect(html).toContain('This login is for development.');
    const offered = html.matchAll(/<button name="operator" value="(\w+)"[^>]*>([^<]+)<\/button><p [^>]*>([^<]+)/g);
    expect([...offered].map(([, ...texts]) => texts)).toEqual([
      ['edith', 'Edith Clarke', 'admin'],
      ['katherine', 'Katherine Johnson', 'support'],
      ['mary', 'Mary Jackson', 'support:billing'],
      ['dorothy', 'Dorothy Vaughan', 'viewer'],
    ]);
    expect(html).toContain('<label for="operator">');
  });

  test('runs no script and cannot be framed', async () => {
    const { page } = await openLoginPage();
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(await page.text()).not.toContain('<script');
  });

  test.each(['', '<b>', 'a b', 'ann@example.com', 'x'.repeat(65)])(
    'rejects the name %j and asks again',
    async (operator) => {
      const browser = openBrowser();
      const { url } = await openLoginPage(browser);
      const again = await browser(url, { operator });
      expect(again.status).toBe(400);
      expect(await again.text()).toContain('role="alert"');
    },
  );

  test('rejects an interaction that was started elsewhere', async () => {
    const { url } = await openLoginPage();
    const other = openBrowser();
    expect((await other(url)).status).toBe(400);
    expect((await other(url, { operator: 'edith' })).status).toBe(400);
  });
});

describe('pages of other origins', () => {
  test.each(['http://localhost:5173', 'http://127.0.0.1:3000'])(
    'on this machine may ask for tokens: %s',
    async (origin) => {
      const url = `${login.issuer}/token`;
      const body = new URLSearchParams({ client_id: 'dashboard', grant_type: 'refresh_token', refresh_token: 'x' });
      const answer = await fetch(url, { method: 'POST', headers: { origin }, body });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      const preflight = { origin, 'access-control-request-method': 'POST' };
      expect((await fetch(url, { method: 'OPTIONS', headers: preflight })).status).toBe(204);
    },
  );

  test.each(['/.well-known/openid-configuration', '/jwks'])('may read %s', async (path) => {
    const answer = await fetch(`${login.issuer}${path}`, { headers: { origin: 'http://localhost:5173' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  });

  test('of another host cannot request tokens', async () => {
    const body = new URLSearchParams({ client_id: 'dashboard', grant_type: 'refresh_token', refresh_token: 'x' });
    const headers = { origin: 'https://evil.example' };
    const answer = await fetch(`${login.issuer}/token`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('with a host name that resolves to this address are rejected', async () => {
    const { status, body } = await sendRequest(login.issuer, { path: '/jwks', headers: { host: 'evil.example' } });
    expect(status).toBe(421);
    expect(body).not.toContain('"keys"');
  });
});

test('publishes only the public part of its key', async () => {
  const { keys } = (await (await fetch(`${login.issuer}/jwks`)).json()) as { keys: object[] };
  expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
});

test('a port in use causes an error that names the variable to set', async () => {
  const { port } = new URL(login.issuer);
  await expect(serveDevelopmentLogin({ port: Number(port) })).rejects.toThrow(
    `Port ${port} is in use: stop the other program, or choose another port, such as OIDC_PORT=3100 npm start.`,
  );
});
