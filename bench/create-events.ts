import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createServiceCaller, type SentRequest, type SigningKey } from '#shared/calls/call-service.ts';
import { type BearerEndpoint, routeKeyOf } from '#shared/contract/bearer-endpoint.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import { type ServiceOperationName, type ServiceOperations, serviceOperations } from '#shared/contract/operations.ts';
import { createHttpEvent, matchRoute } from '../local/http-api-event.ts';

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
  key: SigningKey,
): HttpInvocation {
  const { method, path } = serviceOperations[name];
  const { url, ...request } = sign(name, call, key);
  return invokeRoute(name, [`${method} ${path}`], { ...request, target: url.replace(`https://${authority}`, '') });
}

/** A request with the token of a connection. */
export interface BearerRequest {
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly content?: object | undefined;
}

/** A request to an endpoint for connections as the event of API Gateway. */
export function invokeBearerEndpoint({ name, routes }: BearerEndpoint, request: BearerRequest): HttpInvocation {
  const { token, content, ...sent } = request;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...sent.headers };
  return invokeRoute(name, routes.map(routeKeyOf), { ...sent, headers, body: content && JSON.stringify(content) });
}

function invokeRoute(
  name: string,
  routeKeys: readonly string[],
  sent: Pick<SentRequest, 'method' | 'headers' | 'body'> & { readonly target: string },
): HttpInvocation {
  const { pathname, search } = new URL(sent.target, `https://${authority}`);
  const routes = routeKeys.map((routeKey) => ({ routeKey, functionId: name, isProtected: false }));
  const match = matchRoute(routes, sent.method, pathname);
  if (match === undefined) throw new Error(`${pathname} is not a path of ${name}`);
  const headers = Object.entries({ host: authority, ...sent.headers }).map(([name, value]) => [name, [value]]);
  const request = {
    method: sent.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(headers),
    body: Buffer.from(sent.body ?? ''),
    protocol: 'HTTP/1.1',
    sourceIp: '192.0.2.1',
    authority,
    requestId: randomBytes(11).toString('base64'),
    receivedAt: new Date(),
  };
  return { name, event: createHttpEvent(request, pathname, match) };
}
