import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { serviceOperations } from '#shared/contract/operations.ts';
import { signRequest } from '#shared/signature/sign.ts';
import type { WireRequest } from '../local/event-parts.ts';
import { createHttpEvent, matchRoute } from '../local/http-api-event.ts';
import { type BenchKey, benchKey } from './populations.ts';

/** A function's name, and the event that it is invoked with. */
export interface Invocation {
  readonly name: string;
  readonly event: APIGatewayProxyEventV2;
}

export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body?: object | undefined;
  /** Default: the bench's own key. */
  readonly key?: BenchKey;
}

const authority = 'auth.example.com';
const routes = Object.values(serviceOperations).map(({ name, method, path }) => ({
  routeKey: `${method} ${path}`,
  functionId: name,
  isProtected: false,
}));

/** A request to the Service API in API Gateway's format, signed now with a new nonce. */
export function invokeService({ method, target, body, key = benchKey }: ServiceRequest): Invocation {
  const content = body === undefined ? '' : JSON.stringify(body);
  const signature = signRequest(
    { method, url: `https://${authority}${target}`, ...(content === '' ? {} : { body: content }) },
    { ...key, created: Math.floor(Date.now() / 1000), nonce: randomBytes(16).toString('base64url') },
  );
  const request = wireRequest(method, target, content, signature);
  const match = matchRoute(routes, method, request.path);
  if (match === undefined) throw new Error(`There is no route ${method} ${target}`);
  return { name: match.route.functionId, event: createHttpEvent(request, request.path, match) };
}

function wireRequest(method: string, target: string, body: string, signature: Record<string, string>): WireRequest {
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2);
  const sent = { ...(body === '' ? {} : { 'content-type': 'application/json' }), ...signature };
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(Object.entries({ host: authority, ...sent }).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body),
    protocol: 'HTTP/1.1',
    sourceIp: '192.0.2.1',
    authority,
    requestId: randomBytes(11).toString('base64'),
    receivedAt: new Date(),
  };
}
