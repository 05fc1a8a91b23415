import type { AuthConfig } from '@auth/core';
import type { JWT } from '@auth/core/jwt';
import { decodeJwt } from 'jose';

const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '', AUTH_SECRET = '', MAX_AGE_MS = '2000' } = process.env;
/** So that the example shows a block at once. An application refreshes when its access token expires, after five minutes. */
const maxAgeMs = Number(MAX_AGE_MS);

/** Of Auth.js in any framework. */
export const authConfig: AuthConfig = {
  basePath: '/auth',
  secret: AUTH_SECRET,
  trustHost: true,
  providers: [
    {
      id: 'login',
      name: 'Login',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: 'openid email profile' } },
      checks: ['pkce', 'state'],
    },
  ],
  callbacks: {
    jwt: ({ token, account }) => (account ? keep(account) : refreshIfOld(token)),
    // What the browser may see: no token.
    session: ({ session, token }) => Object.assign(session, { login: token.login, error: token.error }),
  },
  events: {
    // The cookie has the refresh token, so it is revoked: Cognito does not do so at a logout.
    signOut: async (message) => {
      if ('token' in message) await post('revocation_endpoint', { token: refreshTokenOf(message.token) });
    },
  },
  // Where the application shows that a login was refused.
  pages: { signIn: '/', error: '/' },
};

/** Asks for new tokens, which the login refuses to somebody who has lost access. */
async function refreshIfOld(token: JWT): Promise<JWT> {
  if (token.login === undefined || Date.now() - Number(token.checkedAt) < maxAgeMs) return token;
  try {
    const answer = await post('token_endpoint', { grant_type: 'refresh_token', refresh_token: refreshTokenOf(token) });
    const tokens = await answer.json();
    if (answer.ok) return keep(tokens);
    if (tokens.error === 'invalid_grant') return { error: 'no access' };
  } catch {
    // An outage, after which the user goes on.
  }
  return { ...token, error: 'unavailable' };
}

/** The tokens come from the login itself, so their signature says nothing more (OpenID Connect Core 3.1.3.7). */
export function keep({ id_token, refresh_token }: { id_token?: string; refresh_token?: string }): JWT {
  const { user_id, roles } = decodeJwt(id_token ?? '');
  return { login: { user_id, roles }, refreshToken: refresh_token, checkedAt: Date.now() };
}

function refreshTokenOf(token: JWT | null): string {
  return String(token?.refreshToken);
}

async function post(endpoint: 'token_endpoint' | 'revocation_endpoint', form: Record<string, string>) {
  const discovered = await fetch(`${ISSUER}/.well-known/openid-configuration`);
  const { [endpoint]: url } = await discovered.json();
  const authorization = `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;
  return await fetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });
}
