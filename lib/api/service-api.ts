import { Fn, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnRoute,
  type CfnStage,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { BearerEndpoint, BearerRoute } from '#shared/contract/bearer-endpoint.ts';
import { changeKeysPath } from '#shared/contract/change-keys.ts';
import { documentationOf } from '#shared/contract/documents.ts';
import { eventKeysPath } from '#shared/contract/event-keys.ts';
import { listChangesOperation } from '#shared/contract/history.ts';
import { type ServiceOperationName, serviceOperations } from '#shared/contract/operations.ts';
import { apiKeyRoots, historyRoots } from '#shared/contract/root-purposes.ts';
import type { RootKey } from '../data/root-key.ts';
import type { Table } from '../data/table.ts';
import { createLogGroup, EndpointFunction } from '../functions/endpoint-function.ts';
import { endpointSets, publicPaths } from '../options/endpoint-sets.ts';
import type { PublicPath } from '../options/public-path.ts';
import type { Settings } from '../settings/settings.ts';
import { ApiDomain } from './api-domain.ts';
import { GatewayRole } from './gateway-role.ts';

type Endpoint = (typeof serviceOperations)[ServiceOperationName];

export interface ServiceApiProps extends Settings {
  readonly table: Table;
  readonly rootKey: RootKey;
}

/**
 * The HTTP API with one function per route of the contract and per endpoint for connections, and one that answers 404 for every
 * other route.
 */
export class ServiceApi extends Construct {
  readonly httpApi: HttpApi;
  readonly stage: HttpStage;
  /** The operations of the Service API that the deployment has. */
  readonly operations: readonly Endpoint[];
  /** The functions by file name. */
  readonly functions: ReadonlyMap<string, EndpointFunction>;
  /** The URL for clients, with a slash at the end. */
  readonly url: string;
  /** The host name for a proxy in front, such as CloudFront. */
  readonly originHost: string;
  readonly #publicAuthorities: string;
  readonly #routeSettings: Record<string, object> = {};
  readonly #gateway: GatewayRole;
  /** Of all functions of the API: one for each would be a resource each. The lines and the names of the streams say which it was. */
  readonly #log: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    const { apiDomain: domain, executeApi } = props;
    this.#publicAuthorities = joined([domain?.name ?? '', props.publicAuthorities]);
    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: props.stage.serviceName,
      createDefaultStage: false,
      disableExecuteApiEndpoint: executeApi === 'off',
    });
    this.stage = this.#createStage(props);
    this.#gateway = new GatewayRole(this, 'Gateway');
    this.#log = createLogGroup(this, 'Log', props.stage);
    if (domain !== undefined) new ApiDomain(this, 'Domain', { domain, stage: this.stage });
    this.url = domain === undefined ? this.stage.url : `https://${domain.name}/`;
    this.originHost = Fn.select(2, Fn.split('/', executeApi === 'off' ? this.url : this.httpApi.apiEndpoint));
    this.operations = Object.values(serviceOperations).filter((operation) => isDeployed(operation, props));
    const endpoints = this.operations.map((route) => this.#addEndpoint(route, props));
    const deployed = props.endpoints.flatMap((set) => endpointSets[set] ?? []);
    const bearerFunctions = new Map(
      deployed.map((endpoint) => [endpoint.name, this.#createBearerFunction(endpoint, props)]),
    );
    for (const endpoint of deployed) this.#addBearerRoutes(endpoint, bearerFunctions, props);
    this.functions = new Map([...endpoints, ...bearerFunctions, this.#addUnknownRoute(props)]);
    this.#addPublic('ChangeKeys', changeKeysPath, listChangesOperation.name, {
      reason: 'It answers public keys, which receivers of changes need without an API key, and reads no data.',
    });
    if (props.webhooks.includes('set')) {
      this.#addPublic('EventKeys', eventKeysPath, listChangesOperation.name, {
        reason: 'It answers public keys, which receivers of security events need, and reads no data.',
      });
    }
    for (const { id, path, servedBy, reason } of this.#publicPaths()) this.#addPublic(id, path, servedBy, { reason });
  }

  /**
   * Gives a route its own limit in requests per second, so that it and the other routes cannot use up each other's. API
   * Gateway accepts a limit only for an existing route.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
   */
  limitRoute({ node }: HttpRoute, rate = 100): void {
    const [route, stage] = [node.defaultChild as CfnRoute, this.stage.node.defaultChild as CfnStage];
    this.#routeSettings[route.routeKey] = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burstOf(rate) };
    stage.routeSettings = this.#routeSettings;
    stage.addResourceDependency(route);
  }

  /** Also accepts signatures for these host names, which belong to a proxy in front of the API. */
  acceptAuthorities(hosts: readonly string[]): void {
    const accepted = joined([...hosts, this.#publicAuthorities]);
    const named = [...this.operations.map(({ name }) => name), ...this.#publicPaths().map(({ servedBy }) => servedBy)];
    for (const name of named) this.functions.get(name)?.function.addEnvironment('PUBLIC_AUTHORITIES', accepted);
  }

  /** Those of the options whose functions the stack has. */
  #publicPaths(): readonly PublicPath[] {
    return publicPaths.filter(({ servedBy }) => this.functions.has(servedBy));
  }

  #createStage(props: ServiceApiProps): HttpStage {
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: props.throttleRate, burstLimit: burstOf(props.throttleRate) },
      ...(props.stage.accessLog && {
        accessLogSettings: {
          destination: new LogGroupLogDestination(createLogGroup(this, 'AccessLog', props.stage)),
          format: accessLogFormat,
        },
      }),
    });
    if (!props.stage.accessLog) {
      Validations.of(stage).acknowledge({
        id: 'AwsSolutions-APIG1',
        reason: "The functions log each request that reaches them; the API's metrics count those that do not.",
      });
    }
    return stage;
  }

  #addEndpoint(route: Endpoint, props: ServiceApiProps): [string, EndpointFunction] {
    const environment = { ...endpointEnvironment(route, props), PUBLIC_AUTHORITIES: this.#publicAuthorities };
    const fn = this.#createFunction(route.name, props, environment);
    grantPermissions(fn, route, props);
    const httpRoute = this.#addRoute(HttpRouteKey.with(route.path, HttpMethod[route.method]), fn);
    Validations.of(httpRoute).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The handler verifies the HMAC signature of each request; an authorizer gets neither the body nor the raw path.',
    });
    return [route.name, fn];
  }

  #addUnknownRoute(props: ServiceApiProps): [string, EndpointFunction] {
    const name = 'refuse-unknown-route';
    const fn = this.#createFunction(name, props, {});
    const httpRoute = this.#addRoute(HttpRouteKey.DEFAULT, fn);
    Validations.of(httpRoute).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'It always answers 404, and has no permission to read or write data.',
    });
    this.limitRoute(httpRoute);
    return [name, fn];
  }

  #createBearerFunction(endpoint: BearerEndpoint, props: ServiceApiProps): EndpointFunction {
    const fn = this.#createFunction(endpoint.name, props, this.#bearerEnvironment(endpoint, props));
    const { use = {}, tokenRoots } = endpoint;
    if (tokenRoots !== undefined) {
      props.rootKey.grantUse(fn, tokenRoots, ...(use.writes === undefined ? [] : [historyRoots]));
    }
    props.table.grantUse(fn, use);
    if (use.writes !== undefined) props.table.grantReopening(fn);
    return fn;
  }

  /** The routes for connections, with limits of their own, so that they and the Service API cannot use up each other's. */
  #addBearerRoutes(
    { name, routes, scope }: BearerEndpoint,
    functions: ReadonlyMap<string, EndpointFunction>,
    { throttleRate }: ServiceApiProps,
  ): void {
    const fn = existing(functions.get(name), name);
    for (const [at, route] of routes.entries()) {
      const { servedBy } = route;
      const id = at === 0 ? 'Route' : `Route${at + 1}`;
      const server = servedBy === undefined ? fn : existing(functions.get(servedBy), servedBy);
      const httpRoute = this.#addRoute(bearerRouteKey(route), fn, { id, server });
      Validations.of(httpRoute).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          scope === null && servedBy === undefined
            ? 'It answers what the service supports, which clients ask without a token, and reads no data.'
            : 'The handler verifies the bearer token of each request, which an authorizer could only do with the same root.',
      });
      this.limitRoute(httpRoute, throttleRate);
    }
  }

  /** A public endpoint has no data; all functions need the name of the table, because they read their settings together. */
  #bearerEnvironment({ scope, use }: BearerEndpoint, props: ServiceApiProps): Record<string, string> {
    const shared = sharedEnvironment(props);
    if (scope === null) return shared;
    if (use?.writes === undefined) return { ...shared, PUBLIC_AUTHORITIES: this.#publicAuthorities };
    return { ...shared, CHANGE_RETENTION_DAYS: String(props.changeRetentionDays) };
  }

  /** A route without a caller, served by a function that has what it answers. */
  #addPublic(id: string, path: string, servedBy: string, { reason }: { readonly reason: string }): void {
    const integration = this.#gateway.integrationOf(existing(this.functions.get(servedBy), servedBy));
    const routeKey = HttpRouteKey.with(path, HttpMethod.GET);
    const httpRoute = new HttpRoute(this, id, { httpApi: this.httpApi, routeKey, integration });
    Validations.of(httpRoute).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    this.limitRoute(httpRoute);
  }

  #createFunction(name: string, props: ServiceApiProps, environment: Record<string, string>): EndpointFunction {
    const provisionedConcurrency = props.provisionedConcurrency[name];
    return new EndpointFunction(this, pascalCase(name), {
      name,
      environment,
      stage: props.stage,
      provisionedConcurrency,
      logGroup: this.#log,
    });
  }

  /** A route that belongs to a function, and invokes it, unless another one serves it. */
  #addRoute(routeKey: HttpRouteKey, fn: EndpointFunction, { id = 'Route', server = fn }: RouteOptions = {}): HttpRoute {
    const integration = this.#gateway.integrationOf(server);
    return new HttpRoute(fn, id, { httpApi: this.httpApi, routeKey, integration });
  }
}

interface RouteOptions {
  readonly id?: string;
  readonly server?: EndpointFunction;
}

function existing(fn: EndpointFunction | undefined, name: string): EndpointFunction {
  if (fn === undefined) throw new Error(`There is no function ${name}`);
  return fn;
}

/** Enough to find a request in its function's log; without headers, and without the path, which contains the user id. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    host: '$context.domainName',
    time: '$context.requestTime',
    routeKey: '$context.routeKey',
    status: '$context.status',
    responseLatency: '$context.responseLatency',
    integrationLatency: '$context.integrationLatency',
    sourceIp: '$context.identity.sourceIp',
    error: '$context.error.message',
    authorizerError: '$context.authorizer.error',
    integrationError: '$context.integrationErrorMessage',
  }),
);

/** An operation that depends on a setting costs nothing without it. */
function isDeployed(operation: Endpoint, { webhooks }: ServiceApiProps): boolean {
  return documentationOf(operation).onlyWith !== 'webhooks' || webhooks.length > 0;
}

function endpointEnvironment(route: Endpoint, props: ServiceApiProps): Record<string, string> {
  const { settings = [] } = documentationOf(route);
  const { keyStateCacheSeconds, changeRetentionDays, requireReason, webhooks } = props;
  return {
    ...sharedEnvironment(props),
    ...(settings.includes('keyStateCacheSeconds') &&
      keyStateCacheSeconds > 0 && { KEY_STATE_CACHE_SECONDS: String(keyStateCacheSeconds) }),
    ...(settings.includes('changeRetentionDays') && { CHANGE_RETENTION_DAYS: String(changeRetentionDays) }),
    ...(settings.includes('webhooks') && { WEBHOOK_FORMATS: webhooks.join(',') }),
    ...(settings.includes('requireReason') && requireReason !== undefined && { REQUIRE_REASON: requireReason }),
  };
}

function sharedEnvironment({ table, allowedCidrs }: ServiceApiProps) {
  return {
    TABLE_NAME: table.resource.tableName,
    ...(allowedCidrs.length > 0 && { ALLOWED_CIDRS: allowedCidrs.join(',') }),
  };
}

function bearerRouteKey({ method, path }: BearerRoute): HttpRouteKey {
  return HttpRouteKey.with(path, HttpMethod[method]);
}

function grantPermissions(fn: EndpointFunction, route: Endpoint, { table, rootKey }: ServiceApiProps): void {
  const { table: { reads = [], ...use } = {}, roots = [] } = documentationOf(route);
  rootKey.grantUse(fn, apiKeyRoots, ...(route.writes ? [historyRoots] : []), ...roots);
  table.grantRequestTotals(fn);
  if (route.writes && use.changesApplication === undefined) table.grantReopening(fn);
  table.grantUse(fn, { ...use, reads: ['application', 'format', ...reads], keyOwner: 'application' });
}

/** The burst limit: the requests of two seconds. */
function burstOf(rate: number): number {
  return 2 * rate;
}

function joined(hosts: readonly string[]): string {
  return hosts.filter((host) => host !== '').join(',');
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
