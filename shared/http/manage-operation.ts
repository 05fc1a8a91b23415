import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { ManageRoute } from '#shared/contract/manage-routes.ts';
import type { FieldError } from '#shared/contract/problem.ts';
import type { RequestContext } from '#shared/domain/request-context.ts';
import { fieldErrors, invalidRequest } from './field-errors.ts';
import type { ManageEvent } from './manage-event.ts';
import { entityTag, readIfMatch } from './read-if-match.ts';
import { readQuery } from './read-query.ts';

type Schema<Output> = v.GenericSchema<unknown, Output>;

/** What an operation of the Management API takes, and what it does with it. */
export interface ManageOperation<Path, Query, Body> {
  readonly route: ManageRoute;
  readonly path: Schema<Path>;
  /** Default: no query. */
  readonly query?: v.StrictObjectSchema<v.ObjectEntries, undefined> & Schema<Query>;
  /** Default: no body. */
  readonly body?: Schema<Body>;
  readonly run: (input: ManageInput<Path, Query, Body>, context: RequestContext) => Promise<ManageAnswer>;
}

export interface ManageInput<Path, Query, Body> {
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly ifMatch: readonly number[] | undefined;
}

export interface ManageAnswer {
  /** Default: 200. */
  readonly status?: 200 | 201 | 202;
  /** An answer with a `version` gets it as its ETag too. */
  readonly body: object;
}

/** An operation as the router takes it. */
export interface RoutedOperation {
  readonly method: ManageRoute['method'];
  readonly path: string;
  readonly handler: (event: ManageEvent) => Promise<APIGatewayProxyStructuredResultV2>;
}

const noQuery = v.strictObject({});
const noBody = v.undefined('must be left out');

/** Makes of an operation a route: checks the input, naming every wrong field at once, runs it and shapes the answer. */
export function manageOperation<Path, Query = Record<never, never>, Body = undefined>(
  operation: ManageOperation<Path, Query, Body>,
): RoutedOperation {
  const { route, run } = operation;
  return {
    method: route.method,
    path: route.path,
    handler: async (event) => {
      event.routeName = route.name;
      const input = readInput(operation, event);
      return toResult(await run(input, contextOf(event)));
    },
  };
}

function readInput<Path, Query, Body>(
  { path, query, body }: ManageOperation<Path, Query, Body>,
  event: ManageEvent,
): ManageInput<Path, Query, Body> {
  const querySchema = query ?? (noQuery as unknown as Schema<Query> & typeof noQuery);
  const given = Object.fromEntries(readQuery(event.rawQueryString, Object.keys(querySchema.entries)));
  const readPath = v.safeParse(path, event.pathParameters);
  const readQueryValues = v.safeParse(querySchema, given);
  const readBody = v.safeParse(body ?? (noBody as unknown as Schema<Body>), event.body);
  const errors: FieldError[] = [
    ...fieldErrors(readPath.issues, 'path:'),
    ...fieldErrors(readQueryValues.issues, 'query:'),
    ...fieldErrors(readBody.issues, '#'),
  ];
  if (!readPath.success || !readQueryValues.success || !readBody.success) throw invalidRequest(errors);
  return {
    path: readPath.output,
    query: readQueryValues.output as Query,
    body: readBody.output,
    ifMatch: readIfMatch(event.headers['if-match']),
  };
}

function contextOf({ operator, requestContext }: ManageEvent): RequestContext {
  if (operator === undefined) throw new Error('The door comes first');
  return { caller: operator, requestId: requestContext.requestId, sourceIp: requestContext.http.sourceIp };
}

function toResult({ status = 200, body }: ManageAnswer): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...('version' in body ? { etag: entityTag(Number(body.version)) } : {}),
      ...(status === 202 ? { 'retry-after': '1' } : {}),
    },
    body: JSON.stringify(body),
  };
}
