import middy from '@middy/core';
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { ServiceError } from '#shared/core/errors.ts';
import { answerProblems } from './answer-problems.ts';
import { identifyOperator, type ManageEvent } from './identify-operator.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { rejectLargeBody } from './reject-large-body.ts';

/** What the management function exports. */
export type ManageHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** The one stack of the Management API: operator, size, JSON, route, operation, answer or problem. */
export function manageEndpoint(): ManageHandler {
  return middy<ManageEvent>()
    .use(answerProblems())
    .use(identifyOperator())
    .use(rejectLargeBody())
    .use(parseJsonBody())
    .handler(route) as unknown as ManageHandler;
}

const route = httpRouter({
  routes: [],
  notFoundResponse: ({ method, path }: { method: string; path: string }) => {
    throw new ServiceError('route_not_found', { detail: `There is nothing for ${method} at ${path}.` });
  },
}) as unknown as (event: ManageEvent) => Promise<APIGatewayProxyStructuredResultV2>;
