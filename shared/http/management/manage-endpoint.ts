import httpRouter from '@middy/http-router';
import type { AppId } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import {
  type HeldRole,
  includesRole,
  limitOf,
  mayCall,
  namesApplication,
  type OperatorRole,
  strongestRole,
} from '#shared/contract/operator-role.ts';
import { roleRequired } from '#shared/core/operator-roles.ts';
import type { HttpHandler, HttpResult, LambdaEvent } from '../http-event.ts';
import { inputParser, readIdempotencyKey, readReason, withPointer } from '../input.ts';
import { endpoint, jsonResponse } from '../middleware/endpoint.ts';
import { limitBody, parseJsonBody } from '../middleware/request-body.ts';
import { unknownRoute } from '../problem-response.ts';
import { manageRuns } from './manage-operations.ts';
import type { ManageContext } from './manage-run.ts';
import { type ManageEvent, requireOperator } from './require-operator.ts';

/** The middleware stack of the Management API: operator, size, JSON, route, role, input, operation. */
export function manageEndpoint(): HttpHandler {
  return endpoint<ManageEvent>({
    identify: ({ routeName, operator }) => ({ route: routeName, caller: operator }),
    isBrief: false,
    api: 'manage',
    middlewares: [requireOperator(), limitBody(), parseJsonBody()],
    // The router's type has the body as text; it reads only the method and the path.
    handle: (event, context) => router(event as LambdaEvent, context),
  });
}

const operations: readonly ManageOperation[] = Object.values(manageOperations);

/** Matches the decoded path, which is the same for the function URL and the HTTP API. */
const router = httpRouter<LambdaEvent, HttpResult>({
  routes: operations.map((operation) => ({
    method: operation.method,
    path: operation.path,
    handler: handlerOf(operation),
  })),
  notFoundResponse: ({ method, path }) => {
    throw unknownRoute(operations, method, path);
  },
});

function handlerOf(operation: ManageOperation): (event: ManageEvent) => Promise<HttpResult> {
  const parse = inputParser(operation);
  const run = manageRuns[operation.name];
  if (run === undefined) throw new Error(`${operation.name} is not implemented`);
  const { statuses: [status] = [200] } = operation;
  return async (event) => {
    event.routeName = operation.name;
    const context = contextOf(event, operation);
    const input = parse(event.pathParameters ?? {}, event);
    try {
      const result = await run(input, { ...context, ...readReason(input), dryRun: isDryRun(input) });
      return 'answer' in result ? jsonResponse(result.answer, result.status) : jsonResponse(result, status);
    } catch (error) {
      throw withPointer(error, operation, event);
    }
  };
}

/** Taken from the query; a bulk request has it in the body, and its domain function passes it on to its parts. */
function isDryRun({ query }: { readonly query: object }): boolean {
  return 'dryRun' in query && query.dryRun === 'true';
}

function contextOf(event: ManageEvent, operation: ManageOperation): ManageContext {
  const { operator, heldRoles, requestContext } = event;
  if (operator === undefined || heldRoles === undefined) throw new Error('requireOperator must run first');
  const { role, limitedTo } = requireRole(operation, heldRoles, applicationOf(event, operation));
  const { requestId, http } = requestContext;
  return {
    caller: { ...operator, role },
    heldRoles,
    limitedTo,
    requestId,
    sourceIp: http.sourceIp,
    attempt: operation.method === 'GET' ? undefined : attemptOf(event),
  };
}

/** The role and limits with which an operator performs an operation. */
interface ActingRole {
  readonly role: OperatorRole;
  /** The only applications that the answer may cover; undefined for all. */
  readonly limitedTo: readonly AppId[] | undefined;
}

/** The role with which an operator may call an operation, or 403 `role_required`; decided by the record, before any read. */
function requireRole(operation: ManageOperation, held: readonly HeldRole[], appId: string | undefined): ActingRole {
  const limitedTo = limitOf(held.filter(({ role }) => includesRole(role, operation.role)));
  const role = strongestRole(held, appId ?? null) ?? operation.role;
  if (mayCall(held, operation, appId)) return { role, limitedTo };
  throw roleRequired(operation.role, whereOf(operation, appId), held);
}

/** The application that the path names or, for a new one, the body, which is an object and not yet checked. */
function applicationOf({ pathParameters, body }: ManageEvent, { forLimited }: ManageOperation): string | undefined {
  if (forLimited !== 'named') return pathParameters?.appId;
  const { appId } = (body ?? {}) as { readonly appId?: unknown };
  return typeof appId === 'string' ? appId : undefined;
}

function whereOf(operation: ManageOperation, appId: string | undefined): string {
  if (namesApplication(operation) && appId !== undefined) return `for the application ${appId}`;
  return operation.forLimited === undefined || operation.forLimited === 'named' ? 'for all applications' : '';
}

function attemptOf({ rawPath, rawQueryString, headers, bodyBytes, requestContext }: ManageEvent) {
  const { method } = requestContext.http;
  const body = bodyBytes ?? new Uint8Array();
  return {
    content: { method, path: rawPath, query: rawQueryString, ifMatch: headers['if-match'], body },
    idempotencyKey: readIdempotencyKey(headers['idempotency-key']),
  };
}
