import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { problemResponse } from '#shared/http/problem.ts';
import { unknownRoute } from '#shared/http/unknown-route.ts';

/** `$default`: answers what no route takes, so that these callers get a problem document too. Reads nothing. */
export async function handler({ requestContext }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const { method, path } = requestContext.http;
  return problemResponse(unknownRoute(Object.values(serviceRoutes), method, path), requestContext.requestId);
}
