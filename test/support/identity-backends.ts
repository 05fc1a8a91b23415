import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolName } from './tools.ts';

/** An application behind a proxy. It answers with the headers that it got, as pairs of name and value in JSON. */
export interface IdentityBackend {
  readonly port: number;
  close(): Promise<void>;
}

/** The applications, with what each needs. */
export const identityBackends: readonly {
  readonly kind: string;
  readonly tools: readonly ToolName[];
  readonly start: () => Promise<IdentityBackend>;
}[] = [
  { kind: 'Node.js', tools: [], start: startNodeBackend },
  { kind: 'WSGI', tools: ['Python'], start: startWsgiBackend },
];

/** Answers an upgrade to any protocol with 101 and the headers in `X-Received`. */
export async function startNodeBackend(): Promise<IdentityBackend> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify(pairsOf(request))));
  });
  server.on('upgrade', (request, socket) => {
    const lines = ['Connection: Upgrade', `Upgrade: ${request.headers.upgrade}`];
    const received = `X-Received: ${JSON.stringify(pairsOf(request))}`;
    socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, received, '', ''].join('\r\n'), () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function pairsOf({ rawHeaders, rawTrailers }: IncomingMessage): [string, string][] {
  const flat = [...rawHeaders, ...rawTrailers];
  return flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : []));
}

/** Python's own server, which folds names as CGI does (PEP 3333): upper case, with `_` for `-`. */
const wsgi = `
import json
from wsgiref.simple_server import make_server, WSGIRequestHandler
class Quiet(WSGIRequestHandler):
    def log_message(self, *args): pass
def application(environ, start_response):
    environ['wsgi.input'].read(int(environ.get('CONTENT_LENGTH') or 0))
    start_response('200 OK', [('Content-Type', 'application/json')])
    return [json.dumps([[name[5:], environ[name]] for name in environ if name.startswith('HTTP_')]).encode()]
server = make_server('127.0.0.1', 0, application, handler_class=Quiet)
print(server.server_port, flush=True)
server.serve_forever()
`;

async function startWsgiBackend(): Promise<IdentityBackend> {
  const child = spawn('python3', ['-c', wsgi], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [port] = await once(child.stdout, 'data');
  return {
    port: Number(port),
    close: async () => {
      const ended = once(child, 'exit');
      if (child.kill()) await ended;
    },
  };
}
