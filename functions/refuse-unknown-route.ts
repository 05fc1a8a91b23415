import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { HttpResult } from '#shared/http/http-event.ts';
import { problemResponse, unknownRoute } from '#shared/http/problem-response.ts';

/** `$default`: answers what no route takes, so that these callers get a problem document too. Reads nothing. */
export async function handler({ requestContext }: APIGatewayProxyEventV2): Promise<HttpResult> {
  const { method, path } = requestContext.http;
  return problemResponse(unknownRoute(Object.values(serviceOperations), method, path), requestContext.requestId);
}
