import { serviceOperations } from '#shared/contract/operations.ts';
import { limitBody } from '#shared/http/middleware/request-body.ts';
import { readSignedMessage, type ServiceEvent } from '#shared/http/service/authenticate.ts';
import { decodePath } from '#shared/signature/path.ts';
import type { SignedMessage } from '#shared/signature/verify.ts';
import type { Vector } from '../../examples/build-vectors.ts';
import type { WireRequest } from '../../local/event-parts.ts';
import { createHttpEvent } from '../../local/http-api-event.ts';

/** Passes a vector's request through the gateway and the service's first steps; returns the verifier's input. */
export function receiveVector({ request }: Vector, gateway: 'decodes' | 'keeps'): SignedMessage {
  const wire = wireRequest(request);
  const path = gateway === 'decodes' ? (decodePath(wire.path) ?? '') : wire.path;
  const route = Object.values(serviceOperations).find((one) => one.method === wire.method && matches(one.path, path));
  if (route === undefined) throw new Error(`There is no route for ${wire.method} ${path}`);
  const match = { route: { routeKey: `${route.method} ${route.path}` }, pathParameters: {} };
  const event = createHttpEvent(wire, path, match as Parameters<typeof createHttpEvent>[2]) as ServiceEvent;
  limitBody().before?.({ event } as never);
  return readSignedMessage(event, route).message;
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace('{userId}', '[^/]+')}$`).test(path);
}

/** The request in transit: the URL's encoding is kept, and the HTTP parser trims header values. */
function wireRequest({ method, url, headers, body = '', bodyBase64 }: Vector['request']): WireRequest {
  const [, path = '', query = ''] = /^https:\/\/[^/]+([^?]*)\??(.*)$/.exec(url) ?? [];
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, values]) => [
        name.toLowerCase(),
        [values].flat().map((value) => value.trim()),
      ]),
    ),
    body: bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64'),
    protocol: 'HTTP/1.1',
    sourceIp: '192.0.2.1',
    authority: new URL(url).host,
    requestId: 'test',
    receivedAt: new Date(0),
  };
}
