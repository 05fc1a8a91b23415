import { randomUUID } from 'node:crypto';
import { hydraPayload } from './hook-payloads.ts';

/** How Hydra calls its hook: the part of its configuration at `oauth2.token_hook`. */
export interface TokenHook {
  readonly url: string;
  readonly in: 'header' | 'cookie';
  readonly name: string;
  readonly value: string;
}

/** The answer of the token endpoint: tokens with their additional claims, or an error. */
export type TokenAnswer =
  | { readonly refreshToken: string; readonly access: Claims; readonly id: Claims }
  | { readonly error: 'access_denied' | 'server_error' | 'invalid_grant' };

type Claims = Readonly<Record<string, unknown>>;

interface Session {
  readonly client: string;
  readonly subject: string;
  readonly extra: Claims;
  readonly ext: Claims;
}

/**
 * Stands in for Ory Hydra, which this machine has not: it calls the hook and obeys the answer as `oauth2/token_hook.go` of Hydra
 * does. A refresh token is replaced only when tokens are issued.
 */
export function standInForHydra(hook: TokenHook) {
  const sessions = new Map<string, Session>();

  async function issue(session: Session, grant: string): Promise<TokenAnswer> {
    const auth = hook.in === 'cookie' ? { cookie: `${hook.name}=${hook.value}` } : { [hook.name]: hook.value };
    const response = await fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=UTF-8', ...auth },
      body: JSON.stringify(hydraPayload({ ...session, grants: [grant] })),
    }).catch(() => undefined);
    if (response?.status === 403) return { error: 'access_denied' };
    if (response?.status !== 200 && response?.status !== 204) return { error: 'server_error' };
    const replaced = response.status === 200 ? ((await response.json()) as HookAnswer).session : undefined;
    const { extra, ext } = session;
    const { access_token: access, id_token: id } = replaced ?? { access_token: extra, id_token: ext };
    const refreshToken = randomUUID();
    sessions.set(refreshToken, { ...session, extra: access, ext: id });
    return { refreshToken, access, id };
  }

  return {
    /** The authorization code of a user who has logged in. */
    logIn: (client: string, subject: string, extra: Claims = {}) =>
      issue({ client, subject, extra, ext: {} }, 'authorization_code'),
    async refresh(token: string): Promise<TokenAnswer> {
      const session = sessions.get(token);
      if (session === undefined) return { error: 'invalid_grant' };
      const answer = await issue(session, 'refresh_token');
      if (!('error' in answer)) sessions.delete(token);
      return answer;
    },
  };
}

interface HookAnswer {
  readonly session: { readonly access_token: Claims; readonly id_token: Claims };
}
