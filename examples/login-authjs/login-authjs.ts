import { Auth, skipCSRFCheck } from '@auth/core';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { authConfig } from '../login-next/auth-config.ts';

/* ISSUER=… CLIENT_ID=… CLIENT_SECRET=… AUTH_SECRET=… PORT=3005 npx node examples/login-authjs/login-authjs.ts */
const { ISSUER = '', CLIENT_ID = '', PORT = '3005' } = process.env;
const home = `http://127.0.0.1:${PORT}`;

/** What a session of `auth-config.ts` has. */
interface Session {
  readonly login?: { readonly user_id: string; readonly roles: readonly string[] };
  readonly error?: 'no access' | 'unavailable';
}

const noAccess = 'You no longer have access.';
const app = new Hono();

app.get('/', async (context) => {
  if (context.req.query('error') !== undefined) return sendPage(context, 403, noAccess);
  const { login, error } = (await findSession(context)) ?? {};
  if (error === 'no access') return sendPage(context, 403, noAccess);
  if (error === 'unavailable') return sendPage(context, 502, 'The login does not work at the moment. Try again.');
  if (login === undefined) return sendPage(context, 200, 'You are not logged in.');
  const facts = html`<dl><dt>User ID</dt><dd>${login.user_id}</dd><dt>Roles</dt><dd>${login.roles.join(', ') || 'none'}</dd></dl>`;
  return sendPage(context, 200, facts, 'logout');
});

// Next.js: `signIn('login')` and `signOut({ redirectTo: '/logged-out' })` in an action of the server.
app.post('/login', (context) => act(context, 'signin/login', '/'));
app.post('/logout', (context) => act(context, 'signout', '/logged-out'));

app.get('/logged-out', async (context) => {
  const { authorization_endpoint } = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
  // Cognito's own way to log out, which the login of `npm start` understands too.
  const page = new URL('/logout', authorization_endpoint);
  page.search = String(new URLSearchParams({ client_id: CLIENT_ID, logout_uri: `${home}/` }));
  return context.redirect(page.href);
});

// Next.js: `export const { GET, POST } = handlers` in `app/auth/[...nextauth]/route.ts`.
app.all('/auth/*', (context) => Auth(context.req.raw, authConfig));

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });

/** Next.js: `await auth()`. A refreshed session comes with a new cookie. */
async function findSession(context: Context): Promise<Session | null> {
  const answer = await Auth(requestOf(context, 'session'), authConfig);
  for (const cookie of answer.headers.getSetCookie()) context.header('set-cookie', cookie, { append: true });
  return await answer.json();
}

/** A cookie with SameSite=Lax is not sent with a form of another site, so the form of this page needs no token of its own. */
async function act(context: Context, action: string, callbackUrl: string): Promise<Response> {
  const body = new URLSearchParams({ callbackUrl: `${home}${callbackUrl}` });
  return await Auth(requestOf(context, action, { method: 'POST', body }), { ...authConfig, skipCSRFCheck });
}

function requestOf(context: Context, action: string, init: RequestInit = {}): Request {
  return new Request(`${home}/auth/${action}`, { ...init, headers: { cookie: context.req.header('cookie') ?? '' } });
}

function sendPage(context: Context, status: 200 | 403 | 502, content: unknown, action: 'login' | 'logout' = 'login') {
  context.header('cache-control', 'no-store');
  const button = action === 'login' ? 'Log in' : 'Log out';
  return context.html(
    html`<!doctype html><html lang="en"><title>Wiki</title><h1>Wiki</h1>
<div role="${status === 200 ? 'group' : 'alert'}">${content}</div>
<form method="post" action="/${action}"><button>${button}</button></form>`,
    status,
  );
}
