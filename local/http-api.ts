import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { DashboardFiles } from './dashboard-files.ts';
import type { DocsFiles } from './docs-files.ts';
import { eventsPath, type LocalEventBus, showEvents } from './event-bus.ts';
import type { WireRequest } from './event-parts.ts';
import { createHttpEvent, decodePath } from './http-event.ts';
import * as answers from './http-result.ts';
import { type HttpServer, type ReceivedRequest, serveHttp } from './http-server.ts';
import { createJwtAuthorizer, type JwtAuthorizer } from './jwt-authorizer.ts';
import type { Outcome } from './lambda-function.ts';
import { matchRoute } from './match-route.ts';
import type { RouteModel } from './read-stack.ts';

/** API Gateway guide, "Quotas for configuring and running an HTTP API". */
const maxHeaderBytes = 10_240;
const maxBodyBytes = 10 * 1024 * 1024;
const maxIntegrationMs = 30_000;

/** What to serve, and how. */
export interface HttpApiOptions {
  readonly routes: readonly RouteModel[];
  readonly invoke: (functionId: string, event: APIGatewayProxyEventV2) => Promise<Outcome>;
  /** 0 for any free one; a taken one is a LocalError. */
  readonly port: number;
  /** Who issues, on this machine, what the stack's own user pool would. Default: nobody, and its routes stay closed. */
  readonly localIssuer?: string | undefined;
  /** Whose events are shown at `GET /_local/events`. Default: nobody's, and the path is one like any other. */
  readonly eventBus?: Pick<LocalEventBus, 'events'> | undefined;
  /** Answers first what is about the APIs. Default: nothing is. */
  readonly docs?: DocsFiles | undefined;
  /** Answers then what is the dashboard's. Default: there is none. */
  readonly dashboard?: DashboardFiles | undefined;
  /** Takes one line for each request: method, path without query, status, milliseconds. */
  readonly log?: ((line: string) => void) | undefined;
  /** Default: 30 s, the most that an HTTP API waits. */
  readonly integrationTimeoutMs?: number | undefined;
}

/** Serves routes on 127.0.0.1 as an HTTP API of API Gateway does, with its limits and its own error answers. */
export async function serveHttpApi(options: HttpApiOptions): Promise<HttpServer> {
  const authorizer = createJwtAuthorizer(options);
  return await serveHttp({
    port: options.port,
    maxBodyBytes,
    // 16 characters, as in the ids that API Gateway gives.
    requestIds: { header: 'apigw-requestid', create: () => `${randomBytes(11).toString('base64url')}=` },
    malformed: answers.badRequest,
    failed: answers.internalServerError,
    answer: (request) => admit(request, options, authorizer),
    log: options.log,
  });
}

async function admit(
  request: ReceivedRequest,
  options: HttpApiOptions,
  authorizer: JwtAuthorizer,
): Promise<answers.HttpAnswer> {
  const { body, headBytes, ...head } = request;
  if (headBytes > maxHeaderBytes) return answers.headersTooLarge;
  if (body === undefined) return answers.bodyTooLarge;
  const page = options.docs?.(head) ?? (await options.dashboard?.(head));
  return page ?? (await dispatch({ ...head, body }, options, authorizer));
}

async function dispatch(
  wire: WireRequest,
  options: HttpApiOptions,
  authorizer: JwtAuthorizer,
): Promise<answers.HttpAnswer> {
  const rawPath = wire.path.startsWith('/') ? decodePath(wire.path) : undefined;
  if (rawPath === undefined) return answers.badRequest;
  if (options.eventBus !== undefined && wire.method === 'GET' && rawPath === eventsPath) {
    return showEvents(options.eventBus);
  }
  const match = matchRoute(options.routes, wire.method, rawPath);
  if (match === undefined) return answers.notFound;
  const identity = match.route.isProtected ? await authorizer(match.route, wire.headers) : undefined;
  if (identity !== undefined && 'statusCode' in identity) return identity;
  const timer = new AbortController();
  const outcome = await Promise.race([
    options.invoke(match.route.functionId, createHttpEvent(wire, rawPath, match, identity)),
    pause(options.integrationTimeoutMs ?? maxIntegrationMs, undefined, { signal: timer.signal }),
  ]).finally(() => timer.abort());
  return outcome === undefined ? answers.serviceUnavailable : answers.toHttpAnswer(outcome);
}
