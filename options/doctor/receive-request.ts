import type { ServiceOperation } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { isConnectionHeader, isDeliveredAsText } from '#shared/signature/delivery.ts';
import { decodePath, type ReadPath, readPath } from '#shared/signature/path.ts';
import type { SignedMessage } from '#shared/signature/verify.ts';
import type { HttpRequest } from './read-http-request.ts';

/** A request as the service would receive it, from API Gateway, which decodes the path and may change headers and body. */
export interface Received {
  readonly request: HttpRequest;
  readonly message: SignedMessage;
  /** Undefined if the service has no such endpoint. */
  readonly route: ServiceOperation | undefined;
  /** The ids in the path, by the names of its template. */
  readonly pathVariables: ReadPath['variables'];
  /** False if API Gateway itself refuses the path. */
  readonly isDelivered: boolean;
}

export function receiveRequest(request: HttpRequest): Received {
  const { method, authority, path, query, headers, body } = request;
  const delivered = decodePath(path);
  const match = delivered === undefined ? undefined : findRoute(method, delivered);
  const paths = match?.read.paths ?? [path];
  const message: SignedMessage = {
    method,
    authorities: [authority],
    paths,
    query,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isForwarded(name))),
    body: isDeliveredAsText(headers['content-type']) ? Buffer.from(Buffer.from(body).toString()) : body,
  };
  const { route, read } = match ?? {};
  const pathVariables = read?.variables ?? {};
  return { request, message, route, pathVariables, isDelivered: delivered !== undefined };
}

/** API Gateway passes cookies on apart from the headers. */
function isForwarded(name: string): boolean {
  return name !== 'cookie' && !isConnectionHeader(name);
}

function findRoute(method: string, path: string): { route: ServiceOperation; read: ReadPath } | undefined {
  for (const route of Object.values(serviceOperations)) {
    const read = route.method === method && fits(route.path, path) ? readPath(path, route.path) : undefined;
    if (read !== undefined) return { route, read };
  }
  return undefined;
}

/** Whether the path has the template's segments; a variable matches exactly one. */
function fits(template: string, path: string): boolean {
  const segments = path.split('/');
  const parts = template.split('/');
  return parts.length === segments.length && parts.every((part, at) => part.startsWith('{') || part === segments[at]);
}
