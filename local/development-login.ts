import { text } from 'node:stream/consumers';
import type { Provider } from 'oidc-provider';
import { manageScope } from '#shared/contract/operation.ts';
import { loginPage } from './login-pages.ts';
import {
  type Claims,
  createTokenKey,
  isOperatorId,
  mintToken,
  operators,
  type TokenKey,
  tokenClaimsOf,
  tokenSeconds,
} from './operator-tokens.ts';
import { type InteractionRequest, sendPage, serveProvider } from './serve-provider.ts';
import { localUserPool } from './template-resources.ts';

/** The port and the log of the development login. */
export interface DevelopmentLoginOptions {
  /** 0 for any free port; throws a LocalError if the port is in use. */
  readonly port: number;
  readonly log?: ((line: string) => void) | undefined;
}

/** An OpenID provider that replaces the stack's user pool. */
export interface DevelopmentLogin {
  readonly issuer: string;
  /** Mints an access token like that of a login, with these claims replaced; a claim set to `undefined` is omitted. */
  mintToken(claims?: Claims): Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves a development login on 127.0.0.1, with the authorization code grant and PKCE. The first request loads the
 * provider and creates its key, because most runs need neither; its state is lost when the process exits.
 */
export async function serveDevelopmentLogin({ port, log }: DevelopmentLoginOptions): Promise<DevelopmentLogin> {
  const key = once(createTokenKey);
  const { issuer, close } = await serveProvider({
    port,
    variable: 'OIDC_PORT',
    name: 'The development login',
    startingPoint: 'the dashboard',
    load: async (issuer) => await loadProvider(issuer, await key()),
    interact,
    log,
  });
  return {
    issuer,
    mintToken: async (claims = {}) => await mintToken(await key(), { ...defaultClaims(issuer), ...claims }),
    close,
  };
}

async function loadProvider(issuer: string, key: TokenKey): Promise<Provider> {
  const { createLoginProvider } = await import('./login-provider.ts');
  return createLoginProvider(issuer, key);
}

async function interact({ provider, request, response }: InteractionRequest): Promise<void> {
  if (request.method !== 'POST') return sendPage(response, 200, loginPage());
  const accountId = new URLSearchParams(await text(request)).get('operator') ?? '';
  if (!isOperatorId(accountId)) {
    return sendPage(response, 400, loginPage('Use 1 to 64 letters, digits, dots, hyphens or underscores.'));
  }
  await provider.interactionFinished(request, response, { login: { accountId } });
}

/** The claims of a token that the provider issues. */
function defaultClaims(issuer: string): Claims {
  const sub = operators[0].id;
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: localUserPool.clientId,
    client_id: localUserPool.clientId,
    sub,
    ...tokenClaimsOf(sub),
    scope: `openid email ${manageScope}`,
    iat,
    exp: iat + tokenSeconds,
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
