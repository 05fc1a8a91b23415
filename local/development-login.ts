import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Provider } from 'oidc-provider';
import { manageScope } from '#shared/contract/operation.ts';
import { closeServer, listenOn } from './listen.ts';
import { loginPage, messagePage, pageHeaders } from './login-pages.ts';
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
  const provider = once(async () => await loadProvider(issuer, await key()));
  const server = createServer((request, response) => {
    handle(request, response, { host: new URL(issuer).host, provider }).catch((error: unknown) => {
      log?.(`The development login failed: ${error instanceof Error ? error.stack : error}`);
      sendPage(response, 500, messagePage('Failed', 'The development login failed. See the log of npm start.'));
    });
  });
  const issuer = `http://127.0.0.1:${await listenOn(server, port, 'OIDC_PORT')}`;
  return {
    issuer,
    mintToken: async (claims = {}) => await mintToken(await key(), { ...defaultClaims(issuer), ...claims }),
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
  // DNS rebinding: a page of another origin could point its own host name to this address.
  if (request.headers.host !== host) {
    return sendPage(response, 421, messagePage('Wrong address', `This login is at http://${host}.`));
  }
  const loaded = await provider();
  if (request.url?.startsWith('/interaction/')) return await interact(loaded, request, response);
  await loaded.callback()(request, response);
}

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
  if (interaction === undefined || request.url !== `/interaction/${interaction.uid}`) {
    return sendPage(
      response,
      400,
      messagePage('Login expired', 'This login has expired. Go back to the dashboard and start again.'),
    );
  }
  if (request.method !== 'POST') return sendPage(response, 200, loginPage());
  const accountId = new URLSearchParams(await text(request)).get('operator') ?? '';
  if (!isOperatorId(accountId)) {
    return sendPage(response, 400, loginPage('Use 1 to 64 letters, digits, dots, hyphens or underscores.'));
  }
  await provider.interactionFinished(request, response, { login: { accountId } });
}

function sendPage(response: ServerResponse, statusCode: number, html: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(statusCode, pageHeaders).end(html);
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
