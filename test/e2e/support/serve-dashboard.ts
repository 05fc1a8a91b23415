import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { closeServer, listenOn } from '../../../local/listen.ts';

const dist = join(import.meta.dirname, '../../../dashboard/dist');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface ServedDashboard {
  readonly url: string;
  /** Refuses a request to the API before it gets there, as long as this answers something. */
  refuse:
    | ((method: string, path: string) => { readonly status: number; readonly body: object } | undefined)
    | undefined;
  close(): Promise<void>;
}

export interface DashboardOptions {
  /** Where the HTTP API answers. */
  readonly api: string;
  readonly issuer: string;
}

/** Serves the built dashboard as CloudFront will: static files, one page for every other path, `/api` passed on. */
export async function serveDashboard({ api, issuer }: DashboardOptions): Promise<ServedDashboard> {
  const config = JSON.stringify({
    issuer,
    clientId: 'dashboard',
    scope: 'openid email profile auth-service/manage',
    serviceUrl: api,
  });
  const headers = securityHeaders(issuer);
  const server = createServer((incoming, response) => {
    const path = new URL(incoming.url ?? '/', api).pathname;
    const refusal = path.startsWith('/api/') ? served.refuse?.(incoming.method ?? '', path) : undefined;
    if (refusal) {
      response.writeHead(refusal.status, { 'content-type': 'application/problem+json' });
      return void response.end(JSON.stringify(refusal.body));
    }
    if (path.startsWith('/api/')) return passOn(incoming, response, api);
    if (path === '/config.json') {
      return void response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(config);
    }
    sendFile(response, path, headers);
  });
  const served: ServedDashboard = {
    url: `http://127.0.0.1:${await listenOn(server, 0)}`,
    refuse: undefined,
    close: () => closeServer(server),
  };
  return served;
}

/** Nothing from elsewhere, and no inline script or style; the provider is asked for its settings and for tokens. */
function securityHeaders(issuer: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src 'self' ${new URL(issuer).origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

function sendFile(response: ServerResponse, path: string, headers: Record<string, string>): void {
  const isAsset = /^\/(?:assets\/)?[\w.-]+$/.test(path) && existsSync(join(dist, path));
  const file = isAsset ? join(dist, path) : join(dist, 'index.html');
  response.writeHead(200, { ...headers, 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
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
