import { createServer, request } from 'node:http';
import { listenOn } from '../../local/listen.ts';

/** A proxy in front of a service that answers chosen requests with 403 instead of forwarding them. */
export interface RefusingProxy {
  readonly url: string;
  /** Decides about each request, such as `GET /users?limit=100`; the path is without `/api/manage`. */
  isRefused: (line: string) => boolean;
  close(): Promise<void>;
}

export async function startRefusingProxy(target: string): Promise<RefusingProxy> {
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    if (proxy.isRefused(`${method} ${url.replace('/api/manage', '')}`)) {
      incoming.resume();
      return void response.writeHead(403, { 'content-type': 'application/json' }).end('{"Message":"Refused"}');
    }
    // The signature covers the host header, so it stays as it is.
    const forwarded = request(new URL(url, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded.on('error', () => response.destroy()));
  });
  const proxy: RefusingProxy = {
    url: `http://127.0.0.1:${await listenOn(server, 0)}`,
    isRefused: () => false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
