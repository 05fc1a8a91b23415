import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { closeServer, listenOn, type PortVariable } from './listen.ts';
import { messagePage, pageHeaders } from './login-pages.ts';

/** The interaction of a login, as the provider describes it. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A request to the page of an interaction. */
export interface InteractionRequest {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** An OpenID provider to serve, with its pages. */
export interface ProviderServerOptions {
  /** 0 for any free port; throws a LocalError that names the variable if the port is in use. */
  readonly port: number;
  readonly variable: PortVariable;
  /** Names it in the log and on its pages: `The development login`. */
  readonly name: string;
  /** Where somebody whose login has expired starts again: `the dashboard`. */
  readonly startingPoint: string;
  /** Loads the provider, when the first request needs it. */
  load(issuer: string): Promise<Provider>;
  /** Changes the target of a request before the provider reads it. Default: none is changed. */
  rewrite?(target: string): string;
  /** Answers a request to `/interaction/<uid>`. */
  interact(context: InteractionRequest): Promise<void>;
  readonly log?: ((line: string) => void) | undefined;
}

/** A listening provider. */
export interface ProviderServer {
  readonly issuer: string;
  close(): Promise<void>;
}

/** Serves an OpenID provider on 127.0.0.1; requests that name another host are refused. */
export async function serveProvider(options: ProviderServerOptions): Promise<ProviderServer> {
  const { port, variable, name, log } = options;
  let loaded: Promise<Provider> | undefined;
  const provider = () => {
    loaded ??= options.load(issuer);
    return loaded;
  };
  const server = createServer((request, response) => {
    handle(request, response, { ...options, host: new URL(issuer).host, provider }).catch((error: unknown) => {
      log?.(`${name} failed: ${error instanceof Error ? error.stack : error}`);
      sendPage(response, 500, messagePage('Failed', `${name} failed. See the log of npm start.`));
    });
  });
  const issuer = `http://127.0.0.1:${await listenOn(server, port, variable)}`;
  return { issuer, close: () => closeServer(server) };
}

interface Handling extends ProviderServerOptions {
  readonly host: string;
  readonly provider: () => Promise<Provider>;
}

async function handle(request: IncomingMessage, response: ServerResponse, handling: Handling): Promise<void> {
  const { host, provider, rewrite } = handling;
  // DNS rebinding: a page of another origin could point its own host name to this address.
  if (request.headers.host !== host) {
    return sendPage(response, 421, messagePage('Wrong address', `This login is at http://${host}.`));
  }
  const loaded = await provider();
  if (request.url?.startsWith('/interaction/')) return await interact(loaded, request, response, handling);
  if (rewrite !== undefined) request.url = rewrite(request.url ?? '');
  await loaded.callback()(request, response);
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { startingPoint, interact }: Handling,
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
  if (interaction === undefined || path !== `/interaction/${interaction.uid}`) {
    const message = `This login has expired. Go back to ${startingPoint} and start again.`;
    return sendPage(response, 400, messagePage('Login expired', message));
  }
  await interact({ provider, interaction, request, response });
}

/** Sends a page, unless an answer has already begun. */
export function sendPage(
  response: ServerResponse,
  statusCode: number,
  html: string,
  headers: Readonly<Record<string, string>> = pageHeaders,
): void {
  if (response.headersSent) return void response.end();
  response.writeHead(statusCode, headers).end(html);
}
