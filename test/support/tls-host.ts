import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { ServerCertificate } from './certificates.ts';

/** What stands behind TLS: the URL of a server, or the answer itself. */
export type Upstream = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface TlsHostOptions {
  /** The only host name for which it has a certificate, and that it answers. */
  readonly name: string;
  readonly certificate: ServerCertificate;
  readonly upstream: Upstream;
  /** Default: 127.0.0.1 and any free port. */
  readonly address?: string;
  readonly port?: number;
}

/** A listening server. */
export interface TlsHost {
  readonly port: number;
  /** What a client must send as Host. */
  readonly authority: string;
  close(): Promise<void>;
}

/**
 * Serves one host name over TLS as API Gateway does: without this name in the handshake (SNI, RFC 6066 section 3) there is no
 * certificate, so the handshake fails, and another Host is 403.
 */
export async function serveTlsHost(options: TlsHostOptions): Promise<TlsHost> {
  const { name, certificate, upstream, address = '127.0.0.1', port = 0 } = options;
  const context = createSecureContext(certificate);
  const server = createServer({ SNICallback: (asked, done) => done(null, asked === name ? context : undefined) });
  server.listen(port, address);
  await once(server, 'listening');
  const listening = (server.address() as AddressInfo).port;
  const authority = `${name}:${listening}`;
  server.on('request', (received, response) => {
    if (received.headers.host !== authority) response.writeHead(403).end('{"message":"Forbidden"}');
    else if (typeof upstream === 'string') forward(received, response, upstream);
    else upstream(received, response);
  });
  return {
    port: listening,
    authority,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function forward(received: IncomingMessage, response: ServerResponse, upstream: string): void {
  const { method, rawHeaders } = received;
  const sent = request(new URL(received.url ?? '/', upstream), { method, headers: rawHeaders }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  sent.on('error', () => response.writeHead(502).end());
  received.pipe(sent);
}
