import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createServiceCaller, type SentRequest } from '#shared/canary/call-service.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import { type ServiceOperationName, type ServiceOperations, serviceOperations } from '#shared/contract/operations.ts';
import type { WireRequest } from '../local/event-parts.ts';
import { createHttpEvent, matchRoute } from '../local/http-api-event.ts';
import { benchKey } from './populations.ts';

/** A function's name, and the event that it is invoked with. */
export interface Invocation {
  readonly name: string;
  readonly event: APIGatewayProxyEventV2;
}

const authority = 'auth.example.com';
const { sign } = createServiceCaller(`https://${authority}`);

/** A request to the Service API as the event of API Gateway, signed now with a new nonce. */
export function invokeService<Name extends ServiceOperationName>(
  name: Name,
  call: OperationRequest<ServiceOperations[Name]>,
  key = benchKey,
): Invocation {
  const { method, path } = serviceOperations[name];
  const request = wireRequest(sign(name, call, key));
  const route = { routeKey: `${method} ${path}`, functionId: name, isProtected: false };
  const match = matchRoute([route], method, request.path);
  if (match === undefined) throw new Error(`${request.path} is not a path of ${name}`);
  return { name, event: createHttpEvent(request, request.path, match) };
}

function wireRequest({ method, url, headers, body = '' }: SentRequest): WireRequest {
  const { pathname, search } = new URL(url);
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
