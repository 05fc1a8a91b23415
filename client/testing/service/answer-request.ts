import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { changeKeysRoute } from '#shared/contract/change-keys.ts';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { listChangesOperation } from '#shared/contract/history.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpHandler, HttpResult } from '#shared/http/http-event.ts';
import { problemResponse, withNonce } from '#shared/http/problem-response.ts';
import { decodePath } from '#shared/signature/path.ts';
import { handler as refuseUnknownRoute } from '../../../functions/refuse-unknown-route.ts';
import type { WireRequest } from '../../../local/event-parts.ts';
import { createHttpEvent, matchRoute } from '../../../local/http-api-event.ts';
import { endpointHandlers } from './endpoint-handlers.ts';

const routes = [
  ...Object.values(serviceOperations)
    .filter(({ name }) => name in endpointHandlers)
    .map(({ name, method, path }) => ({ routeKey: `${method} ${path}`, functionId: name, isProtected: false })),
  { routeKey: changeKeysRoute, functionId: listChangesOperation.name, isProtected: false },
  { routeKey: '$default', functionId: 'refuse-unknown-route', isProtected: false },
];

/** Answers a request as an HTTP API in front of the service's functions does. */
export async function receive(request: Request, requestId: string): Promise<Response> {
  const wire = await readRequest(request, requestId);
  const rawPath = decodePath(wire.path);
  const match = rawPath === undefined ? undefined : matchRoute(routes, wire.method, rawPath);
  if (rawPath === undefined || match === undefined) return Response.json({ message: 'Bad Request' }, { status: 400 });
  const handler = endpointHandlers[match.route.functionId] ?? refuseUnknownRoute;
  return toResponse(await invoke(handler, createHttpEvent(wire, rawPath, match)), requestId);
}

/** Answers with an error of the service. */
export function refuse(code: string, { headers }: Request, requestId: string): Response {
  if (!isErrorCode(code)) throw new TypeError(`The service has no error code ${code}`);
  const problem = problemResponse(new ServiceError(code, { detail: 'The test requested this failure.' }), requestId);
  return toResponse(withNonce({ headers: Object.fromEntries(headers) }, problem), requestId);
}

async function readRequest(request: Request, requestId: string): Promise<WireRequest> {
  const { pathname, search, host } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries([...request.headers].map(([name, value]) => [name, [value]])),
    body: Buffer.from(await request.arrayBuffer()),
    protocol: 'HTTP/1.1',
    sourceIp: '127.0.0.1',
    authority: host,
    requestId,
    receivedAt: now(),
  };
}

/** The timeout of the service's functions. */
const timeoutMilliseconds = 12_000;

function invoke(handler: HttpHandler | typeof refuseUnknownRoute, event: APIGatewayProxyEventV2): Promise<HttpResult> {
  return handler(event, { getRemainingTimeInMillis: () => timeoutMilliseconds } as Context);
}

function toResponse({ statusCode = 200, headers = {}, body = '' }: HttpResult, requestId: string): Response {
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const added: [string, string][] = [
    ['apigw-requestid', requestId],
    ['date', now().toUTCString()],
  ];
  return new Response(body, { status: statusCode, headers: [...texts, ...added] });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
