import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Provider } from 'oidc-provider';
import { manageScope } from '#shared/contract/manage-routes.ts';
import { closeServer, listenOn } from './listen.ts';
import { loginPage, messagePage, pageHeaders } from './login-pages.ts';
import { describeOperator, isOperatorId, operators } from './operators.ts';
import { localUserPool } from './template-resources.ts';
import { type Claims, createTokenKey, mintToken, type TokenKey, tokenSeconds } from './token-key.ts';

/** Where to log in, and whom to tell what fails there. */
export interface DevelopmentLoginOptions {
  /** 0 for any free one; a taken one is a LocalError. */
  readonly port: number;
  readonly log?: ((line: string) => void) | undefined;
}

/** An OpenID provider that stands for the stack's own user pool. */
export interface DevelopmentLogin {
  readonly issuer: string;
  /** An access token as after a login, but with these claims instead; one that is `undefined` is left out. */
  mintToken(claims?: Claims): Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves a login for development on 127.0.0.1, with the authorization code grant and PKCE. The provider is loaded and its
 * key is made with the first request, as most runs need neither, and all its state ends with this process.
 */
export async function serveDevelopmentLogin({ port, log }: DevelopmentLoginOptions): Promise<DevelopmentLogin> {
  const key = once(createTokenKey);
  const provider = once(async () => await loadProvider(issuer, await key()));
  const server = createServer((request, response) => {
    handle(request, response, { host: new URL(issuer).host, provider }).catch((error: unknown) => {
      log?.(`The development login failed: ${error instanceof Error ? error.stack : error}`);
      sendPage(response, 500, messagePage('Failed', 'The development login failed; its log says why.'));
    });
  });
  const issuer = `http://127.0.0.1:${await listenOn(server, port, 'OIDC_PORT')}`;
  return {
    issuer,
    mintToken: async (claims = {}) => await mintToken(await key(), { ...usualClaims(issuer), ...claims }),
    close: () => closeServer(server),
  };
}

async function loadProvider(issuer: string, key: TokenKey): Promise<Provider> {
  const { createLoginProvider } = await import('./login-provider.ts');
  return createLoginProvider(issuer, key);
}

interface Handling {
  readonly host: string;
  readonly provider: () => Promise<Provider>;
}

async function handle(request: IncomingMessage, response: ServerResponse, { host, provider }: Handling): Promise<void> {
  // A foreign page can give its own host name this address, and would then be of the same origin.
  if (request.headers.host !== host) {
    return sendPage(response, 421, messagePage('Another address', `This login is at http://${host}.`));
  }
  const loaded = await provider();
  if (request.url?.startsWith('/interaction/')) return await interact(loaded, request, response);
  await loaded.callback()(request, response);
}

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
  if (interaction === undefined || request.url !== `/interaction/${interaction.uid}`) {
    return sendPage(response, 400, messagePage('Too late', 'This login is over. Go back to where it began.'));
  }
  if (request.method !== 'POST') return sendPage(response, 200, loginPage());
  const accountId = new URLSearchParams(await text(request)).get('operator') ?? '';
  if (!isOperatorId(accountId)) {
    return sendPage(response, 400, loginPage('A name has 1 to 64 letters, digits, dots, hyphens and underscores.'));
  }
  await provider.interactionFinished(request, response, { login: { accountId } });
}

function sendPage(response: ServerResponse, statusCode: number, html: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(statusCode, pageHeaders).end(html);
}

/** Those of a token that the provider issues. */
function usualClaims(issuer: string): Claims {
  const { sub, email } = describeOperator(operators[0].id);
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: localUserPool.clientId,
    client_id: localUserPool.clientId,
    sub,
    email,
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
