import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readStamp } from './client-fixture.ts';

export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The reaction of the server to a request. */
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
  /** The reactions to the next requests, in turn; the last one repeats. */
  reactions: Reaction[];
  close(): Promise<void>;
}

/** A stub of a service that misbehaves on demand. */
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
