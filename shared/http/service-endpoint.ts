import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ServiceRoute } from '#shared/contract/routes.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { countingUsage } from '#shared/core/usage.ts';
import type { RequestContext } from '#shared/domain/request-context.ts';
import { answerProblems } from './answer-problems.ts';
import { logRequest } from './log-request.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { entityTag } from './read-if-match.ts';
import { readQuery } from './read-query.ts';
import { rejectLargeBody } from './reject-large-body.ts';
import { rejectUnlistedAddress } from './reject-unlisted-address.ts';
import type { InputOf, ServiceEvent } from './service-event.ts';
import { type BodySchema, type BodySource, validateInput } from './validate-input.ts';
import { verifySignature } from './verify-signature.ts';

/** What a Lambda function of the Service API exports. */
export type ServiceHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export interface ServiceEndpoint<Route extends ServiceRoute, Body> {
  readonly body: BodySchema<Body>;
  /** Default: the JSON body, and no query. */
  readonly bodySource?: BodySource;
  /** An answer with a `version` gets it as its ETag too. */
  readonly operation: (input: InputOf<Route, Body>, context: RequestContext) => Promise<object>;
}

/** The one stack that every endpoint of the Service API shares: address, size, signature, JSON, input, operation, answer or problem. */
export function serviceEndpoint<const Route extends ServiceRoute, Body>(
  route: Route,
  { body, bodySource = jsonBody, operation }: ServiceEndpoint<Route, Body>,
): ServiceHandler {
  const handler = middy({ timeoutEarlyInMillis: 500, timeoutEarlyResponse: giveUp })
    .use(logRequest<ServiceEvent>(({ signed }) => ({ route: route.name, caller: signed?.context.caller })))
    .use(answerProblems())
    .use(rejectUnlistedAddress())
    .use(rejectLargeBody())
    .use(verifySignature(route))
    .use(parseJsonBody())
    .use(validateInput(body, bodySource))
    .handler((event: ServiceEvent) => answer(event, operation)) as unknown as ServiceHandler;
  return (event, context) => countingUsage(() => handler(event, context));
}

async function answer<Route extends ServiceRoute, Body>(
  { signed, input }: ServiceEvent,
  operation: ServiceEndpoint<Route, Body>['operation'],
): Promise<APIGatewayProxyStructuredResultV2> {
  if (signed === undefined) throw new Error('The signature comes first');
  const body = await operation(input as InputOf<Route, Body>, signed.context);
  return {
    statusCode: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...('version' in body ? { etag: entityTag(Number(body.version)) } : {}),
    },
    body: JSON.stringify(body),
  };
}

function jsonBody({ body, rawQueryString }: ServiceEvent) {
  readQuery(rawQueryString, []);
  return { pointerPrefix: '#', value: body } as const;
}

/** Answers before Lambda's own time-out would, which callers see as a bare 503. */
function giveUp(): never {
  throw new ServiceError('unavailable', { detail: 'The database is slow right now. Try again.' });
}
