import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { serviceOperations } from '#shared/contract/operations.ts';
import { scimPath } from '#shared/contract/scim-endpoints.ts';
import { scimErrorResponse } from '#shared/http/bearer/scim-response.ts';
import type { HttpResult } from '#shared/http/http-event.ts';
import { problemResponse, unknownRoute, withNonce } from '#shared/http/problem-response.ts';

/** `$default`: answers requests without a route with a problem document, or as SCIM does. Reads nothing. */
export async function handler({ headers, requestContext }: APIGatewayProxyEventV2): Promise<HttpResult> {
  const { method, path } = requestContext.http;
  const error = unknownRoute(Object.values(serviceOperations), method, path);
  if (path === scimPath || path.startsWith(`${scimPath}/`)) return scimErrorResponse(error, { requestContext });
  return withNonce({ headers }, problemResponse(error, requestContext.requestId));
}
