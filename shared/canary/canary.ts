import { randomUUID } from 'node:crypto';
import { serviceOperations } from '#shared/contract/operations.ts';
import { canaryConfig } from '#shared/core/config.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { callAws, invokeFunction } from './call-aws.ts';
import {
  createServiceCaller,
  parseBody,
  type SentRequest,
  type ServiceCaller,
  type SigningKey,
} from './call-service.ts';
import { type CanarySubject, runCanary } from './canary-run.ts';

/** The event that CodeDeploy sends before it shifts traffic to a new version. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** The response of the function that issues the canary's key. */
export interface CanaryKey extends SigningKey {
  readonly userId: string;
}

/** The key is kept only in the memory of this process. */
let known: CanarySubject | undefined;

/** Runs once over the network, as an application, and publishes the measurements; never throws. */
export async function runOverNetwork(): Promise<void> {
  try {
    publishMetrics({
      CanaryFailures: 0,
      ...(await runCanary(createServiceCaller(canaryConfig().api), await subject())),
    });
  } catch (error) {
    // The key may have been revoked, or the cursor may have expired.
    known = undefined;
    log.error('The canary has failed', error as Error);
    publishMetrics({ CanaryFailures: 1 });
  }
}

/**
 * Runs once against the new versions of a release before they get traffic, and reports the result to CodeDeploy, which
 * continues only after `Succeeded`. A failure is not counted in the metric, because it affected no user.
 */
export async function checkRelease({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> {
  const { api, versions } = canaryConfig();
  const service = createServiceCaller(api, sendToVersion(versions));
  const status = await runCanary(service, await subject()).then(
    () => 'Succeeded',
    (error: Error) => {
      known = undefined;
      log.error('The new versions have failed', error);
      return 'Failed';
    },
  );
  await callAws({
    service: 'codedeploy',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
    },
    body: JSON.stringify({
      deploymentId: DeploymentId,
      lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
      status,
    }),
  });
}

async function subject(): Promise<CanarySubject> {
  if (known === undefined) {
    const { userId, keyId, secret } = await invokeFunction<CanaryKey>(canaryConfig().keyFunction, {});
    known = { userId, key: { keyId, secret } };
  }
  return known;
}

/** Sends requests to the versions of operations, given by their ARNs, each as the event that API Gateway would send. */
function sendToVersion(versions: Readonly<Record<string, string>>): ServiceCaller['send'] {
  return async (request) => {
    const route = routeOf(request);
    const arn = versions[route.name];
    if (arn === undefined) throw new Error(`there is no version of ${route.name}`);
    const answer = await invokeFunction<{ statusCode: number; body: string }>(arn, eventOf(request, route));
    return { status: answer.statusCode, body: parseBody(answer.body) };
  };
}

interface Route {
  readonly name: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

function routeOf({ method, url }: SentRequest): Route {
  const { pathname } = new URL(url);
  for (const { name, method: known, path } of Object.values(serviceOperations)) {
    const match = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(pathname);
    if (known !== method || match === null) continue;
    const values = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name, routeKey: `${method} ${path}`, pathParameters: Object.fromEntries(values) };
  }
  throw new Error(`there is no operation ${method} ${pathname}`);
}

/** An event in payload format 2.0 (API Gateway guide, "Create AWS Lambda proxy integrations for HTTP APIs"). */
function eventOf({ method, url, headers, body }: SentRequest, { routeKey, pathParameters }: Route): object {
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
