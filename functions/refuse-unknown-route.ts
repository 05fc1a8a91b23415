import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as options from '#options/unknown-paths.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { HttpResult } from '#shared/http/http-event.ts';
import { problemResponse, unknownRoute, withNonce } from '#shared/http/problem-response.ts';
import type { RefusePath } from '#shared/http/refuse-path.ts';

const refusals = Object.values<RefusePath>(options);

/** `$default`: answers requests without a route with a problem document, or as the option does whose path it is. Reads nothing. */
export async function handler({ headers, requestContext }: APIGatewayProxyEventV2): Promise<HttpResult> {
  const { method, path } = requestContext.http;
  const error = unknownRoute(Object.values(serviceOperations), method, path);
  for (const refuse of refusals) {
    const response = refuse(error, { requestContext });
    if (response !== undefined) return response;
  }
  return withNonce({ headers }, problemResponse(error, requestContext.requestId));
}
