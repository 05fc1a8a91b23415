import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describePayload, describeRequest, joinHeaders, type WireRequest } from './event-parts.ts';
import type { JwtIdentity } from './jwt-authorizer.ts';
import type { RouteMatch } from './match-route.ts';

/**
 * The event of an HTTP API in payload format 2.0 (API Gateway guide, "Create AWS Lambda proxy integrations for HTTP
 * APIs"), in the details that the guide leaves open as captured on AWS (hotsock/voker, `apigwv2-request.json`). What a
 * JWT authorizer found stands in the request context, which no caller can write.
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

/**
 * A path as an HTTP API hands it on: decoded, cut at a question mark that comes to light, and decoded once more, so that
 * `%2525` arrives as `%` (captured on AWS, hotsock/voker, `ingress-paths.json`). Undefined for what the gateway refuses.
 */
export function decodePath(path: string): string | undefined {
  try {
    const [decoded = ''] = decodeURIComponent(path).split('?', 1);
    return decodeURIComponent(decoded);
  } catch {
    return undefined;
  }
}
