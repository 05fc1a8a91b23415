import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { decodePath } from '#shared/signature/path.ts';
import type { WireRequest } from './event-parts.ts';
import { eventsPath, type LocalEventBus, showEvents } from './eventbridge.ts';
import { createHttpEvent, matchRoute } from './http-api-event.ts';
import * as answers from './http-result.ts';
import { type HttpServer, isOwnHost, type ReceivedRequest, serveHttp } from './http-server.ts';
import { createJwtAuthorizer, type JwtAuthorizer } from './jwt-authorizer.ts';
import type { Outcome } from './lambda-function.ts';
import type { RouteModel } from './read-stack.ts';
import type { DashboardFiles, DocsFiles } from './static-files.ts';

/** API Gateway guide, "Quotas for configuring and running an HTTP API". */
const maxHeaderBytes = 10_240;
const maxBodyBytes = 10 * 1024 * 1024;
const maxIntegrationMs = 30_000;

/** Says that the local run has started, with its example; until then it gets a 503, as everything does. */
export const readyPath = '/_local/ready';

/** The routes to serve, with their limits and options. */
export interface HttpApiOptions {
  readonly routes: readonly RouteModel[];
  readonly invoke: (functionId: string, event: APIGatewayProxyEventV2) => Promise<Outcome>;
  /** 0 for any free port; throws a LocalError if the port is in use. */
  readonly port: number;
  /** The issuer that replaces the stack's user pool. Default: none, so the user pool's routes answer 401. */
  readonly localIssuer?: string | undefined;
  /** The bus whose events `GET /_local/events` shows. Default: none, so the path is routed like any other. */
  readonly eventBus?: Pick<LocalEventBus, 'events'> | undefined;
  /** The documentation site, matched before the routes. Default: none. */
  readonly docs?: DocsFiles | undefined;
  /** The dashboard, also matched before the routes. Default: none. */
  readonly dashboard?: DashboardFiles | undefined;
  /** Receives a line for each request: method, path without query, status, milliseconds. */
  readonly log?: ((line: string) => void) | undefined;
  /** Until this is true, each request gets a 503; then `GET /_local/ready` gets a 200. Default: from the beginning. */
  readonly isReady?: (() => boolean) | undefined;
  /** Default: 30 s, the limit of an HTTP API. */
  readonly integrationTimeoutMs?: number | undefined;
}

/** Serves routes on 127.0.0.1 as an API Gateway HTTP API does, with its limits and error responses. */
export async function serveHttpApi(options: HttpApiOptions): Promise<HttpServer> {
  const authorizer = createJwtAuthorizer(options);
  return await serveHttp({
    port: options.port,
    maxBodyBytes,
    // 16 characters, as in API Gateway's ids.
    requestIds: { header: 'apigw-requestid', create: () => `${randomBytes(11).toString('base64url')}=` },
    malformed: answers.badRequest,
    failed: answers.internalServerError,
    answer: (request) => answer(request, options, authorizer),
    isReady: options.isReady,
    log: options.log,
  });
}

async function answer(
  request: ReceivedRequest,
  options: HttpApiOptions,
  authorizer: JwtAuthorizer,
): Promise<answers.HttpAnswer> {
  const { body, headBytes, ...head } = request;
  if (headBytes > maxHeaderBytes) return answers.headersTooLarge;
  if (body === undefined) return answers.bodyTooLarge;
  const page = (await options.docs?.(head)) ?? (await options.dashboard?.(head));
  return page ?? (await dispatch({ ...head, body }, options, authorizer));
}

async function dispatch(
  wire: WireRequest,
  options: HttpApiOptions,
  authorizer: JwtAuthorizer,
): Promise<answers.HttpAnswer> {
  const rawPath = wire.path.startsWith('/') ? decodePath(wire.path) : undefined;
  if (rawPath === undefined) return answers.badRequest;
  if (options.isReady !== undefined && wire.method === 'GET' && rawPath === readyPath) return answers.ready;
  if (options.eventBus !== undefined && wire.method === 'GET' && rawPath === eventsPath) {
    return isOwnHost(wire) ? showEvents(options.eventBus) : answers.misdirected;
  }
  const match = matchRoute(options.routes, wire.method, rawPath);
  if (match === undefined) return answers.notFound;
  const identity = match.route.isProtected ? await authorizer(match.route, wire.headers) : undefined;
  if (identity !== undefined && 'statusCode' in identity) return identity;
  const invocation = options.invoke(match.route.functionId, createHttpEvent(wire, rawPath, match, identity));
  const outcome = await within(options.integrationTimeoutMs ?? maxIntegrationMs, invocation);
  return outcome === undefined ? answers.serviceUnavailable : answers.toHttpAnswer(outcome);
}

/** Returns undefined if the timeout elapses first. */
async function within<Result>(milliseconds: number, result: Promise<Result>): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  return Promise.race([result, promise]).finally(() => clearTimeout(timer));
}
