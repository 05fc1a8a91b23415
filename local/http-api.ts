import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createHttpEvent, decodePath, type WireRequest } from './http-event.ts';
import * as answers from './http-result.ts';
import type { Outcome } from './lambda-function.ts';
import { listenOn } from './listen.ts';
import { matchRoute } from './match-route.ts';
import type { RouteModel } from './read-stack.ts';

/** API Gateway guide, "Quotas for configuring and running an HTTP API". */
const maxHeaderBytes = 10_240;
const maxBodyBytes = 10 * 1024 * 1024;
const maxIntegrationMs = 30_000;
/** Up to here the answer to oversized headers is the gateway's, beyond it that of node:http, also 431 but empty. */
const maxParsedHeaderBytes = 65_536;

/** What to serve, and how. */
export interface HttpApiOptions {
  readonly routes: readonly RouteModel[];
  readonly invoke: (functionId: string, event: APIGatewayProxyEventV2) => Promise<Outcome>;
  /** 0 for any free one; a taken one is a LocalError. */
  readonly port: number;
  /** Takes one line for each request: method, path without query, status, milliseconds. */
  readonly log?: ((line: string) => void) | undefined;
  /** Default: 30 s, the most that an HTTP API waits. */
  readonly integrationTimeoutMs?: number | undefined;
}

/** A gateway that listens. */
export interface HttpApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves routes on 127.0.0.1 as an HTTP API of API Gateway does, with its limits and its own error answers. */
export async function serveHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  const server = createServer({ maxHeaderSize: maxParsedHeaderBytes }, (request, response) => {
    void serve(request, response, options);
  });
  const port = await listenOn(server, options.port);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, options: HttpApiOptions): Promise<void> {
  const receivedAt = new Date();
  // 16 characters, as in the ids that API Gateway gives.
  const requestId = `${randomBytes(11).toString('base64url')}=`;
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  const answer = await readWire(request, { path, query, requestId, receivedAt })
    .then(
      (wire) => ('statusCode' in wire ? wire : dispatch(wire, options)),
      () => answers.badRequest,
    )
    .catch(() => answers.internalServerError);
  send(response, answer, requestId);
  // Safe for a terminal: node:http refuses a target with anything but visible ASCII.
  options.log?.(`${request.method} ${path} ${answer.statusCode} ${Date.now() - receivedAt.getTime()} ms`);
}

type Arrival = Pick<WireRequest, 'path' | 'query' | 'requestId' | 'receivedAt'>;

/** The request with its body, or the answer to one that exceeds a limit. */
async function readWire(request: IncomingMessage, arrival: Arrival): Promise<WireRequest | answers.HttpAnswer> {
  if (headerBytes(request) > maxHeaderBytes) return answers.headersTooLarge;
  const body = await readBody(request);
  if (body === undefined) return answers.bodyTooLarge;
  return {
    ...arrival,
    method: request.method ?? '',
    headers: request.headersDistinct,
    body,
    protocol: `HTTP/${request.httpVersion}`,
    sourceIp: request.socket.remoteAddress ?? '',
    authority: servedAuthority(request),
  };
}

/** The request line and the header lines as sent; AWS names the values only, so what passes here passes there. */
function headerBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const perHeader = ': \r\n'.length;
  const requestLine = `${method} ${url} HTTP/${httpVersion}\r\n`;
  const headers = rawHeaders.join('').length + (rawHeaders.length / 2) * perHeader;
  return requestLine.length + headers;
}

/** Undefined for one over the limit, which is read to its end first, as a client may not listen before that. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  let bytes = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
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

async function dispatch(wire: WireRequest, options: HttpApiOptions): Promise<answers.HttpAnswer> {
  const rawPath = wire.path.startsWith('/') ? decodePath(wire.path) : undefined;
  if (rawPath === undefined) return answers.badRequest;
  const match = matchRoute(options.routes, wire.method, rawPath);
  if (match === undefined) return answers.notFound;
  // No authorizer runs here: what needs one stays closed.
  if (match.route.isProtected) return answers.unauthorized;
  const timer = new AbortController();
  const outcome = await Promise.race([
    options.invoke(match.route.functionId, createHttpEvent(wire, rawPath, match)),
    pause(options.integrationTimeoutMs ?? maxIntegrationMs, undefined, { signal: timer.signal }),
  ]).finally(() => timer.abort());
  return outcome === undefined ? answers.serviceUnavailable : answers.toHttpAnswer(outcome);
}

function send(response: ServerResponse, answer: answers.HttpAnswer, requestId: string): void {
  response.statusCode = answer.statusCode;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.setHeader('apigw-requestid', requestId);
  response.end(answer.body);
}
