import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { WireRequest } from './event-parts.ts';
import { type HttpAnswer, starting } from './http-result.ts';
import { closeServer, listenOn, type PortVariable } from './listen.ts';

/** Up to this size, `answer` checks the header limit; beyond it, node:http answers an empty 431. */
const maxParsedHeaderBytes = 65_536;

/** The differences between an HTTP API and a function URL: limits, request ids and error responses. */
export interface HttpServerOptions {
  /** 0 for any free port; throws a LocalError if the port is in use. */
  readonly port: number;
  /** The environment variable that sets the port, for messages. Default: PORT. */
  readonly portVariable?: PortVariable | undefined;
  /** A larger body is read to the end and discarded, because some clients read the response only then. */
  readonly maxBodyBytes: number;
  readonly requestIds: { readonly header: string; create(): string };
  /** The responses to an aborted request and to one for which `answer` failed. */
  readonly malformed: HttpAnswer;
  readonly failed: HttpAnswer;
  answer(request: ReceivedRequest): Promise<HttpAnswer>;
  /** Until this is true, each request gets a 503. Default: from the beginning. */
  readonly isReady?: (() => boolean) | undefined;
  /** Receives a line for each request: method, path without query, status, milliseconds. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A request; its body is undefined if it is too large. */
export interface ReceivedRequest extends Omit<WireRequest, 'body'> {
  readonly body: Buffer | undefined;
  /** The size of the request line and the header lines. */
  readonly headBytes: number;
}

/** A listening server. */
export interface HttpServer {
  /** Without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 and passes each request on unchanged. */
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
      (body) => {
        if (options.isReady?.() === false) return starting;
        return options.answer({ ...readHead(request), path, query, body, requestId, receivedAt });
      },
      () => options.malformed,
    )
    .catch(() => options.failed);
  send(response, answer, [options.requestIds.header, requestId]);
  // Safe for a terminal: node:http accepts only visible ASCII in the request target.
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

/** The size of the request line and the header lines. AWS counts only the values, so this limit is stricter. */
function headBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const perHeader = ': \r\n'.length;
  const requestLine = `${method} ${url} HTTP/${httpVersion}\r\n`;
  const headers = rawHeaders.join('').length + (rawHeaders.length / 2) * perHeader;
  return requestLine.length + headers;
}

/**
 * Returns the `@authority` that a client on this machine signs (RFC 9421 section 2.2.3): the Host header if it is one
 * of the server's own names, otherwise the address that it listens on. AWS uses the domain that it serves, never the
 * Host header as sent, because a client could then choose the authority that its signature is checked against.
 */
function servedAuthority({ headers, socket }: IncomingMessage): string {
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`;
  const host = readHost(headers.host);
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}${port}`);
  return names.includes(host) ? host : `127.0.0.1${port}`;
}

/**
 * Whether a request names this server by one of its own names. A page of another origin can point its host name to this
 * address (DNS rebinding) and then read responses that need no signature.
 */
export function isOwnHost({ headers, authority }: Pick<WireRequest, 'headers' | 'authority'>): boolean {
  return readHost(headers.host?.[0]) === authority;
}

function readHost(header = ''): string {
  return header.toLowerCase().replace(/:80$/, '');
}

function send(response: ServerResponse, answer: HttpAnswer, [idHeader, requestId]: [string, string]): void {
  response.statusCode = answer.statusCode;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.setHeader(idHeader, requestId);
  response.end(answer.body);
}
