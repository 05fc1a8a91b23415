import { randomUUID } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import * as oidc from 'openid-client';

/* ISSUER=… CLIENT_ID=… PORT=3005 npx node examples/login-express/login-express.ts */
const { ISSUER = '', CLIENT_ID = '', PORT = '3005' } = process.env;
const home = `http://127.0.0.1:${PORT}`;
// HTTP is for the login on this machine; the one in AWS has HTTPS.
const insecure = ISSUER.startsWith('http://127.0.0.1:') ? { execute: [oidc.allowInsecureRequests] } : undefined;

// The login.
const login = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), insecure);

async function startLogin(session: Session): Promise<URL> {
  session.verifier = oidc.randomPKCECodeVerifier();
  session.state = oidc.randomState();
  const code_challenge = await oidc.calculatePKCECodeChallenge(session.verifier);
  const pkce = { code_challenge, code_challenge_method: 'S256', state: session.state };
  return oidc.buildAuthorizationUrl(login, {
    redirect_uri: `${home}/callback`,
    scope: 'openid email profile',
    ...pkce,
  });
}

async function finishLogin(session: Session, url: URL): Promise<void> {
  const checks = { pkceCodeVerifier: session.verifier ?? '', expectedState: session.state ?? '' };
  keep(session, await oidc.authorizationCodeGrant(login, url, checks));
}

/** Asks for new tokens, which the login refuses to somebody who has lost access. */
async function refresh(session: Session): Promise<void> {
  keep(session, await oidc.refreshTokenGrant(login, session.refreshToken ?? ''));
}

function keep(session: Session, tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): void {
  session.user = tokens.claims();
  session.refreshToken = tokens.refresh_token ?? session.refreshToken;
  session.checkedAt = Date.now();
}

// The application.
interface Session {
  verifier?: string;
  state?: string;
  user?: oidc.IDToken | undefined;
  refreshToken?: string | undefined;
  checkedAt?: number;
}

/** So that the example shows a block at once. An application refreshes when its access token expires, after five minutes. */
const maxAgeMs = 2000;
/** In memory: a real application keeps its sessions in a store. */
const sessions = new Map<string, Session>();
// Cookies are shared by all ports of a host (RFC 6265 section 8.5).
const cookieName = `session-${PORT}`;

const app = express();
app.disable('x-powered-by');

app.get('/', async (request, response) => {
  const session = findSession(request);
  if (session?.user === undefined) return void sendPage(response, 200, '<p>You are not logged in.</p>', logInButton);
  try {
    if (Date.now() - (session.checkedAt ?? 0) > maxAgeMs) await refresh(session);
  } catch (error) {
    return sendError(request, response, error);
  }
  const { name, user_id, roles } = session.user;
  const facts = Object.entries({ Name: name, 'User ID': user_id, Roles: [roles ?? []].flat().join(', ') || 'none' });
  const list = facts.map(([term, value]) => `<dt>${term}</dt><dd>${escapeHtml(String(value))}</dd>`).join('');
  sendPage(response, 200, `<dl>${list}</dl>`, '<form method="post" action="/logout"><button>Log out</button></form>');
});

app.post('/login', async (_, response) => {
  const id = randomUUID();
  const session: Session = {};
  sessions.set(id, session);
  response.cookie(cookieName, id, { httpOnly: true, sameSite: 'lax' });
  response.redirect(303, (await startLogin(session)).href);
});

app.get('/callback', async (request, response) => {
  try {
    await finishLogin(findSession(request) ?? {}, new URL(request.originalUrl, home));
    response.redirect(303, '/');
  } catch (error) {
    sendError(request, response, error);
  }
});

app.post('/logout', (request, response) => {
  endSession(request);
  // Cognito's own way to log out, which the login on this machine understands too.
  const page = new URL('/logout', login.serverMetadata().authorization_endpoint);
  page.search = String(new URLSearchParams({ client_id: CLIENT_ID, logout_uri: `${home}/` }));
  response.redirect(303, page.href);
});

app.listen(Number(PORT), '127.0.0.1', (error) => {
  // Such as a port in use.
  if (error) throw error;
  console.log(`The example application listens on ${home}`);
});

const logInButton = '<form method="post" action="/login"><button>Log in</button></form>';

/** A refusal ends the session. Anything else is an outage, after which the user goes on. */
function sendError(request: Request, response: Response, error: unknown): void {
  if (isRefusal(error)) {
    endSession(request);
    sendPage(response, 403, '<p role="alert">You no longer have access.</p>', logInButton);
  } else {
    console.error(error);
    sendPage(response, 502, '<p role="alert">The login does not work at the moment. Try again.</p>', logInButton);
  }
}

/** Cognito refuses a login at the address of the callback, and a refresh with `invalid_grant`. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof oidc.AuthorizationResponseError ||
    (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
  );
}

function findSession({ headers }: Request): Session | undefined {
  return sessions.get(sessionId(headers.cookie));
}

function endSession({ headers }: Request): void {
  sessions.delete(sessionId(headers.cookie));
}

function sessionId(cookies = ''): string {
  return new RegExp(`(?:^|; )${cookieName}=([^;]*)`).exec(cookies)?.[1] ?? '';
}

function sendPage(response: Response, status: number, ...content: readonly string[]): void {
  response
    .status(status)
    .set('cache-control', 'no-store')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Billing</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 2rem auto; padding: 0 1rem; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; } button { font: inherit; padding: 0.5rem 1rem; }
</style>
<h1>Billing</h1>
${content.join('\n')}`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
