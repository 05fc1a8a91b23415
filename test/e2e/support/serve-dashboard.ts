import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { serviceVersion } from '../../../lib/operators/dashboard-delivery.ts';
import { closeServer, listenOn } from '../../../local/listen.ts';
import { openDashboard } from '../../../local/static-files.ts';

const dist = join(import.meta.dirname, '../../../dashboard/dist');

export interface ServedDashboard {
  readonly url: string;
  /** Responds to an API request in place of the service, if it returns a response. */
  refuse: ((method: string, path: string) => Refusal | undefined) | undefined;
  close(): Promise<void>;
}

export interface Refusal {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DashboardOptions {
  /** The URL of the HTTP API. */
  readonly api: string;
  readonly issuer: string;
}

/** Serves the built dashboard as `npm start` does, and forwards `/api`. */
export async function serveDashboard({ api, issuer }: DashboardOptions): Promise<ServedDashboard> {
  const scope = 'openid email profile auth-service/manage';
  const deployed = { stage: 'local', version: serviceVersion };
  const files = openDashboard(dist, { issuer, clientId: 'dashboard', scope, serviceUrl: api, ...deployed });
  const server = createServer(async (incoming, response) => {
    const { method = '' } = incoming;
    const { pathname: path } = new URL(incoming.url ?? '/', api);
    const refusal = path.startsWith('/api/') ? served.refuse?.(method, path) : undefined;
    if (refusal) {
      response.writeHead(refusal.status, { 'content-type': 'application/problem+json', ...refusal.headers });
      return void response.end(JSON.stringify(refusal.body));
    }
    const answer = await files({ method, path, headers: incoming.headersDistinct });
    if (answer === undefined) return passOn(incoming, response, api);
    response.writeHead(answer.statusCode, answer.headers.flat()).end(answer.body);
  });
  const served: ServedDashboard = {
    url: `http://127.0.0.1:${await listenOn(server, 0)}`,
    refuse: undefined,
    close: () => closeServer(server),
  };
  return served;
}

function passOn(incoming: IncomingMessage, response: ServerResponse, api: string): void {
  const { method, headers } = incoming;
  const outgoing = request(`${api}${incoming.url}`, { method, headers: { ...headers, host: new URL(api).host } });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.writeHead(502).end());
  incoming.pipe(outgoing);
}
