import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describePayload, describeRequest, joinHeaders, type WireRequest } from './event-parts.ts';
import type { JwtIdentity } from './jwt-authorizer.ts';
import type { RouteModel } from './read-stack.ts';

/**
 * The event of an HTTP API in payload format 2.0 (API Gateway guide, "Create AWS Lambda proxy integrations for HTTP
 * APIs"); details that the guide does not specify are as captured on AWS (hotsock/voker, `apigwv2-request.json`). The
 * claims that the JWT authorizer verified are in the request context, which a caller cannot write.
 */
export function createHttpEvent(
  request: WireRequest,
  rawPath: string,
  match: RouteMatch,
  jwt?: JwtIdentity,
): APIGatewayProxyEventV2 {
  const { routeKey } = match.route;
  return {
    version: '2.0',
    routeKey,
    rawPath,
    ...describePayload(request),
    headers: joinHeaders(request, 'cookie'),
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: { ...match.pathParameters } }),
    requestContext: { ...describeRequest(request, rawPath), routeKey, ...(jwt && { authorizer: { jwt } }) },
  };
}

/** A matched route, with its path parameters. */
export interface RouteMatch {
  readonly route: RouteModel;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Chooses the route as an HTTP API does: a full match, else a greedy path variable, else `$default` (API Gateway guide,
 * "Create routes for HTTP APIs", "Routing API requests"). Within each, a literal segment precedes a variable, and a
 * method precedes ANY. `path` is decoded, so an encoded slash in a segment counts as a slash.
 */
export function matchRoute(routes: readonly RouteModel[], method: string, path: string): RouteMatch | undefined {
  const matches = routes.flatMap((route) => matchOne(route, method, path) ?? []);
  const [best] = matches.sort((one, other) => (rank(one.route) < rank(other.route) ? -1 : 1));
  return best;
}

function matchOne(route: RouteModel, method: string, path: string): RouteMatch | undefined {
  if (route.routeKey === '$default') return { route, pathParameters: {} };
  const [routeMethod, template] = splitKey(route);
  if (routeMethod !== 'ANY' && routeMethod !== method) return undefined;
  const pathParameters = matchSegments(template, path.split('/'));
  return pathParameters && { route, pathParameters };
}

function matchSegments(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const [at, part] of template.entries()) {
    const [, name, greedy] = /^\{(.+?)(\+?)\}$/.exec(part) ?? [];
    const value = greedy ? segments.slice(at).join('/') : segments[at];
    if (name === undefined ? value !== part : !value) return undefined;
    if (name !== undefined && value !== undefined) parameters.set(name, value);
    if (greedy) return Object.fromEntries(parameters);
  }
  return template.length === segments.length ? Object.fromEntries(parameters) : undefined;
}

/** A sort key: the route that sorts first is chosen. */
function rank(route: RouteModel): string {
  if (route.routeKey === '$default') return 'c';
  const [method, template] = splitKey(route);
  const kinds = template.map((part) => (part.startsWith('{') ? '1' : '0')).join('');
  return `${template.at(-1)?.endsWith('+}') ? 'b' : 'a'}${kinds}${method === 'ANY' ? '1' : '0'}`;
}

function splitKey({ routeKey }: RouteModel): [string, string[]] {
  const [method = '', template = ''] = routeKey.split(' ');
  return [method, template.split('/')];
}
