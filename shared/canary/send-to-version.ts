import { randomUUID } from 'node:crypto';
import { type ServiceOperationName, serviceOperations } from '#shared/contract/operations.ts';
import { invokeFunction } from './call-aws.ts';
import { parseBody, type SentRequest, type ServiceCaller } from './call-service.ts';

/** The ARNs of the versions to invoke, by operation. */
export type Versions = Readonly<Partial<Record<ServiceOperationName, string>>>;

/** Sends requests to versions of the functions, each as the event that API Gateway would send. */
export function sendToVersion(versions: Versions): ServiceCaller['send'] {
  return async (request) => {
    const name = operationOf(request);
    const arn = versions[name];
    if (arn === undefined) throw new Error(`there is no version of ${name}`);
    const { statusCode, body } = await invokeFunction<{ statusCode: number; body: string }>(
      arn,
      eventOf(name, request),
    );
    return { status: statusCode, body: parseBody(body) };
  };
}

function operationOf({ method, url }: SentRequest): ServiceOperationName {
  const { pathname } = new URL(url);
  const found = Object.values(serviceOperations).find(
    ({ method: known, path }) =>
      known === method && new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  if (found === undefined) throw new Error(`there is no operation ${method} ${pathname}`);
  return found.name;
}

/** An event in payload format 2.0 (API Gateway guide, "Create AWS Lambda proxy integrations for HTTP APIs"). */
function eventOf(name: ServiceOperationName, { method, url, headers, body }: SentRequest): object {
  const { host, pathname, searchParams, search } = new URL(url);
  const { path } = serviceOperations[name];
  const routeKey = `${method} ${path}`;
  const [, value = ''] = new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`).exec(pathname) ?? [];
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
  return {
    version: '2.0',
    routeKey,
    rawPath: decodeURIComponent(pathname),
    rawQueryString: search.slice(1),
    headers: { host, ...headers },
    ...(search !== '' && { queryStringParameters: Object.fromEntries(searchParams) }),
    ...(parameter !== undefined && { pathParameters: { [parameter]: decodeURIComponent(value) } }),
    requestContext: {
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
