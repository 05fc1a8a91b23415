import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { HttpResult } from '#shared/http/http-event.ts';
import { problemResponse, unknownRoute, withNonce } from '#shared/http/problem-response.ts';

/** `$default`: answers what no route takes, so that these callers get a problem document too. Reads nothing. */
export async function handler({ headers, requestContext }: APIGatewayProxyEventV2): Promise<HttpResult> {
  const { method, path } = requestContext.http;
  const error = unknownRoute(Object.values(serviceOperations), method, path);
  return withNonce({ headers }, problemResponse(error, requestContext.requestId));
}
