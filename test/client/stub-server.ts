import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readStamp } from './client-fixture.ts';

export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the server does with a request. */
export type Reaction =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  /** Closes the connection without an answer. */
  | 'drop'
  /** Never answers. */
  | 'hang'
  /** Begins an answer and never ends it. */
  | 'hang in the body';

export interface StubServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** What happens to the next requests, one by one; the last for ever. */
  reactions: Reaction[];
  close(): Promise<void>;
}

/** Stands in for a service that misbehaves as no real one would on demand. */
export async function startStubServer(): Promise<StubServer> {
  const stub = { seen: [] as SeenRequest[], reactions: [] as Reaction[] };
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    stub.seen.push({ method, target, headers, body });
    const [reaction = 'drop'] = stub.reactions.length > 1 ? stub.reactions.splice(0, 1) : stub.reactions;
    react(reaction, response, headers['signature-input']);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}

function react(reaction: Reaction, response: ServerResponse, signatureInput: unknown): void {
  if (reaction === 'hang') return;
  if (reaction === 'drop') return void response.destroy();
  if (reaction === 'hang in the body') return void response.writeHead(200).write('{"userId":');
  const { status, headers, body = {} } = reaction;
  const { nonce } = readStamp(signatureInput);
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response
    .writeHead(status, { 'content-type': type, 'request-nonce': nonce, ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}
