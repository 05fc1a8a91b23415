import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { SentRequest } from '#shared/calls/call-service.ts';
import type { Change } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { userChangeKey } from '#shared/table/keys/change-item-keys.ts';
import { epochSeconds, secondsPerDay } from '#shared/table/ttl.ts';

/** The route of a request, as API Gateway would find it. */
export interface Route {
  /** The operation of the Service API, and so the name of its function. */
  readonly name: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Finds the route of a request to the Service API; throws if there is none. */
export function routeOf({ method, url }: Pick<SentRequest, 'method' | 'url'>): Route {
  const { pathname } = new URL(url);
  for (const { name, method: known, path } of Object.values(serviceOperations)) {
    const match = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(pathname);
    if (known !== method || match === null) continue;
    const values = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name, routeKey: `${method} ${path}`, pathParameters: Object.fromEntries(values) };
  }
  throw new Error(`there is no operation ${method} ${pathname}`);
}

/** What differs between events of the HTTP API and of a function URL. */
export interface EventSource extends Partial<Pick<Route, 'routeKey' | 'pathParameters'>> {
  /** The result of a function URL's IAM authorization. */
  readonly authorizer?: { readonly iam: { readonly userArn: string } };
}

/**
 * An event in payload format 2.0, of the route `$default` if none is given (API Gateway guide, "Create AWS Lambda proxy
 * integrations for HTTP APIs"; Lambda guide, "Invoking Lambda function URLs").
 */
export function httpEvent({ method, url, headers, body }: SentRequest, source: EventSource): object {
  const { routeKey = '$default', pathParameters = {}, authorizer } = source;
  const { host, pathname, searchParams, search } = new URL(url);
  return {
    version: '2.0',
    routeKey,
    rawPath: decodeURIComponent(pathname),
    rawQueryString: search.slice(1),
    headers: { host, ...headers },
    ...(search !== '' && { queryStringParameters: Object.fromEntries(searchParams) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      ...(authorizer && { authorizer }),
      domainName: host,
      http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'canary' },
      requestId: `canary-${randomUUID()}`,
      routeKey,
      stage: '$default',
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
}

/**
 * The batch of the table's stream with one change of a user, as Lambda delivers it (Lambda guide, "Using AWS Lambda with
 * Amazon DynamoDB"). Readers of the stream process each record at least once, so they accept a change again.
 */
export function streamBatch(userId: UserId, change: Change, retentionDays: number): object {
  const key = userChangeKey(userId, change.id);
  const item = { ...key, ...change, ttl: epochSeconds(change.at) + retentionDays * secondsPerDay };
  const image = (value: object): Record<string, AttributeValue> => marshall(value, { removeUndefinedValues: true });
  const dynamodb = {
    Keys: image(key),
    NewImage: image(item),
    SequenceNumber: '1',
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  };
  return { Records: [{ eventName: 'INSERT', eventSource: 'aws:dynamodb', dynamodb }] };
}
