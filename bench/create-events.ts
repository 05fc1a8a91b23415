import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createServiceCaller } from '#shared/calls/call-service.ts';
import { type BearerEndpoint, routeKeyOf } from '#shared/contract/bearer-endpoint.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import { type ServiceOperationName, type ServiceOperations, serviceOperations } from '#shared/contract/operations.ts';
import type { WireRequest } from '../local/event-parts.ts';
import { createHttpEvent, matchRoute } from '../local/http-api-event.ts';
import { benchKey } from './populations.ts';

/** A function's name, and the event that it is invoked with. */
export interface Invocation<Event extends object = object> {
  readonly name: string;
  readonly event: Event;
  /** How long it may run. Default: 10. */
  readonly limitSeconds?: number;
}

/** The invocation of a function behind the HTTP API. */
export type HttpInvocation = Invocation<APIGatewayProxyEventV2>;

const authority = 'auth.example.com';
const { sign } = createServiceCaller(`https://${authority}`);

/** A request to the Service API as the event of API Gateway, signed now with a new nonce. */
export function invokeService<Name extends ServiceOperationName>(
  name: Name,
  call: OperationRequest<ServiceOperations[Name]>,
  key = benchKey,
): HttpInvocation {
  const { method, path } = serviceOperations[name];
  const { url, ...request } = sign(name, call, key);
  return invokeRoute(name, [`${method} ${path}`], { ...request, target: url.replace(`https://${authority}`, '') });
}

/** A request as its client sends it. */
export interface ClientRequest {
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A request to an endpoint for connections as the event of API Gateway. */
export function invokeBearerEndpoint({ name, routes }: BearerEndpoint, request: ClientRequest): HttpInvocation {
  return invokeRoute(name, routes.map(routeKeyOf), request);
}

function invokeRoute(name: string, routeKeys: readonly string[], sent: ClientRequest): HttpInvocation {
  const request = wireRequest(sent);
  const routes = routeKeys.map((routeKey) => ({ routeKey, functionId: name, isProtected: false }));
  const match = matchRoute(routes, request.method, request.path);
  if (match === undefined) throw new Error(`${request.path} is not a path of ${name}`);
  return { name, event: createHttpEvent(request, request.path, match) };
}

function wireRequest({ method, target, headers, body = '' }: ClientRequest): WireRequest {
  const { pathname, search } = new URL(target, `https://${authority}`);
  return {
    method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(
      Object.entries({ host: authority, ...headers }).map(([name, value]) => [name, [value]]),
    ),
    body: Buffer.from(body),
    protocol: 'HTTP/1.1',
    sourceIp: '192.0.2.1',
    authority,
    requestId: randomBytes(11).toString('base64'),
    receivedAt: new Date(),
  };
}
