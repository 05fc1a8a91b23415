import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { WireRequest } from './event-parts.ts';
import type { HttpAnswer } from './http-result.ts';
import { closeServer, listenOn, type PortVariable } from './listen.ts';

/** Up to here the answer to oversized headers is the door's, beyond it that of node:http, also 431 but empty. */
const maxParsedHeaderBytes = 65_536;

/** What makes a server a door of AWS: its limits, its ids and its own answers. */
export interface HttpServerOptions {
  /** 0 for any free one; a taken one is a LocalError. */
  readonly port: number;
  /** What chooses another port. Default: PORT. */
  readonly portVariable?: PortVariable | undefined;
  /** A body beyond it is read to its end, as a client may not listen before that, and left out. */
  readonly maxBodyBytes: number;
  readonly requestIds: { readonly header: string; create(): string };
  /** To a request that was broken off, and to one on which `answer` failed. */
  readonly malformed: HttpAnswer;
  readonly failed: HttpAnswer;
  answer(request: ReceivedRequest): Promise<HttpAnswer>;
  /** Takes one line for each request: method, path without query, status, milliseconds. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A request as it arrived, without its body if that is too large. */
export interface ReceivedRequest extends Omit<WireRequest, 'body'> {
  readonly body: Buffer | undefined;
  /** The size of the request line and the header lines. */
  readonly headBytes: number;
}

/** A server that listens. */
export interface HttpServer {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 and hands on each request as it arrived. */
export async function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({ maxHeaderSize: maxParsedHeaderBytes }, (request, response) => {
    void serve(request, response, options);
  });
  const port = await listenOn(server, options.port, options.portVariable);
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

async function serve(request: IncomingMessage, response: ServerResponse, options: HttpServerOptions): Promise<void> {
  const receivedAt = new Date();
  const requestId = options.requestIds.create();
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  const answer = await readBody(request, options.maxBodyBytes)
    .then(
      (body) => options.answer({ ...readHead(request), path, query, body, requestId, receivedAt }),
      () => options.malformed,
    )
    .catch(() => options.failed);
  send(response, answer, [options.requestIds.header, requestId]);
  // Safe for a terminal: node:http refuses a target with anything but visible ASCII.
  options.log?.(`${request.method} ${path} ${answer.statusCode} ${Date.now() - receivedAt.getTime()} ms`);
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  let bytes = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : undefined;
}

function readHead(request: IncomingMessage) {
  return {
    method: request.method ?? '',
    headers: request.headersDistinct,
    headBytes: headBytes(request),
    protocol: `HTTP/${request.httpVersion}`,
    sourceIp: request.socket.remoteAddress ?? '',
    authority: servedAuthority(request),
  };
}

/** The request line and the header lines as sent; AWS names the values only, so what passes here passes there. */
function headBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const perHeader = ': \r\n'.length;
  const requestLine = `${method} ${url} HTTP/${httpVersion}\r\n`;
  const headers = rawHeaders.join('').length + (rawHeaders.length / 2) * perHeader;
  return requestLine.length + headers;
}

/**
 * The `@authority` that a client on this machine signs (RFC 9421 section 2.2.3): its Host if that names this server in
 * one of the ways it can be reached, else the address listened on. AWS gives the domain that it serves and never the
 * Host as such, from which a client could choose what its signature is checked against.
 */
function servedAuthority({ headers, socket }: IncomingMessage): string {
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`;
  const host = (headers.host ?? '').toLowerCase().replace(/:80$/, '');
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}${port}`);
  return names.includes(host) ? host : `127.0.0.1${port}`;
}

function send(response: ServerResponse, answer: HttpAnswer, [idHeader, requestId]: [string, string]): void {
  response.statusCode = answer.statusCode;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.setHeader(idHeader, requestId);
  response.end(answer.body);
}
