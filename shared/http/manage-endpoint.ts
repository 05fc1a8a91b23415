import middy from '@middy/core';
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { manageRoutes } from '#shared/contract/manage-routes.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { countingUsage } from '#shared/core/usage.ts';
import { answerProblems } from './answer-problems.ts';
import { identifyOperator } from './identify-operator.ts';
import { logRequest } from './log-request.ts';
import { applicationOperations } from './manage-applications.ts';
import type { ManageEvent } from './manage-event.ts';
import { roleOperations } from './manage-roles.ts';
import { userOperations } from './manage-users.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { rejectLargeBody } from './reject-large-body.ts';
import { unknownRoute } from './unknown-route.ts';

/** What the management function exports. */
export type ManageHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** The one stack of the Management API: operator, size, JSON, route, input, operation, answer or problem. */
export function manageEndpoint(): ManageHandler {
  const handler = middy({ timeoutEarlyInMillis: 500, timeoutEarlyResponse: giveUp })
    .use(logRequest<ManageEvent>(({ routeName, operator }) => ({ route: routeName, caller: operator })))
    .use(answerProblems())
    .use(identifyOperator())
    .use(rejectLargeBody())
    .use(parseJsonBody())
    .handler(route) as unknown as ManageHandler;
  return (event, context) => countingUsage(() => handler(event, context));
}

/** The router matches the path as API Gateway decodes it, which is alike at both doors. */
const route = httpRouter({
  routes: [...applicationOperations, ...roleOperations, ...userOperations] as never,
  notFoundResponse: ({ method, path }: { method: string; path: string }) => {
    throw unknownRoute(Object.values(manageRoutes), method, path);
  },
}) as unknown as (event: ManageEvent) => Promise<APIGatewayProxyStructuredResultV2>;

function giveUp(): never {
  throw new ServiceError('unavailable', { detail: 'The database is slow right now. Try again.' });
}
