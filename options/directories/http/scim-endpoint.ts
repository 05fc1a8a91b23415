import type middy from '@middy/core';
import type { MiddlewareObj } from '@middy/core';
import type { BearerEvent } from '#options/connections/http/authenticate-token.ts';
import { bearerHandler } from '#options/connections/http/bearer-handler.ts';
import { recordDirectoryRequest } from '#options/connections/server/record-activity.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import { maxBodyBytes } from '#shared/contract/fields.ts';
import type { ConnectionScope } from '#shared/contract/operation.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import type { HttpHandler, HttpResult } from '#shared/http/http-event.ts';
import { readIfMatch } from '#shared/http/input.ts';
import { parseBody } from '#shared/http/middleware/request-body.ts';
import { toServiceError } from '#shared/http/problem-response.ts';
import { scimSearchPath } from '../contract/scim-endpoints.ts';
import { type BaseUrl, listResponse, type ScimResource } from '../scim/resource.ts';
import { readSearchRequest } from '../scim/search-request.ts';
import { readSelection, type Selection, select } from '../scim/selection.ts';
import { openDirectory } from '../server/open-directory.ts';
import { baseOf, methodNotAllowed, scimErrorOf, scimErrorResponse, scimResponse } from './scim-response.ts';
import { isUnknownPath, unknownPath } from './scim-unknown-path.ts';

/** A request to a resource type of SCIM. */
export interface ScimRequest {
  /** The id of the resource in the path; empty for a list. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly selection: Selection;
  /** Empty if there is none. */
  readonly body: object;
  /** The versions that the caller expects; undefined for any: no directory is known to send them. */
  readonly ifMatch: readonly number[] | undefined;
  readonly base: BaseUrl;
}

/** Reads a request, which it refuses if it is malformed; what it returns reads and writes the table. */
type ScimOperation = (request: ScimRequest) => (context: ConnectionContext) => Promise<HttpResult>;

/** What can be done with the resources of one type, by method. */
export interface ScimOperations {
  readonly ofList: Readonly<Record<'GET' | 'POST', ScimOperation>>;
  readonly ofResource: Readonly<Record<'GET' | 'PUT' | 'PATCH' | 'DELETE', ScimOperation>>;
  /** A search of all types, if this endpoint serves the path for it. */
  readonly ofAll?: ScimOperation;
}

/** A group of some 10,000 members. */
const maxBytes = 1024 * 1024;

/**
 * The endpoint of a resource type of SCIM 2.0 (RFC 7644), with all methods and with or without an id. It answers what is wrong
 * with a request only to a directory that may ask: the token comes first, then the connection, then the rest. A small request is
 * read before the connection, which is then read together with what the request names.
 */
export function scimEndpoint(
  endpoint: BearerEndpoint & { readonly scope: ConnectionScope },
  operations: ScimOperations,
): HttpHandler {
  return bearerHandler(endpoint, {
    writes: true,
    maxBytes,
    middlewares: [recordActivity()],
    handle: async (event, caller) => {
      const { requestId, http } = event.requestContext;
      const context = { caller, requestId, sourceIp: http.sourceIp };
      const authorize = () => openDirectory(context, isUnknownPath(event) ? null : endpoint.scope);
      if (isLarge(event)) {
        await authorize();
        return prepare(event, operations)(context);
      }
      const perform = await orRefuseAfter(authorize, () => prepare(event, operations));
      return perform(context);
    },
    respondTo: scimErrorResponse,
  });
}

/** Whether a body is larger than those of all other APIs. */
function isLarge({ bodyBytes }: BearerEvent): boolean {
  return bodyBytes !== undefined && bodyBytes.byteLength > maxBodyBytes;
}

async function orRefuseAfter<Result>(authorize: () => Promise<unknown>, read: () => Result): Promise<Result> {
  try {
    return read();
  } catch (refusal) {
    await authorize();
    throw refusal;
  }
}

function prepare(event: BearerEvent, operations: ScimOperations): ReturnType<ScimOperation> {
  if (isUnknownPath(event)) throw unknownPath(event.rawPath);
  const { id } = event.pathParameters ?? {};
  const run = operationOf(operationsAt(event.rawPath, id, operations), event.requestContext.http.method);
  parseBody(event);
  const body = (event.body ?? {}) as object;
  const query = isSearch(event.rawPath) ? readSearchRequest(body) : new URLSearchParams(event.rawQueryString);
  return run({
    id: id ?? '',
    query,
    selection: readSelection(query),
    base: baseOf(event),
    body,
    ifMatch: readIfMatch(event.headers['if-match']),
  });
}

/** Records for operators what a directory requested and what was refused. Requests without a valid token are not recorded. */
function recordActivity(): MiddlewareObj<BearerEvent> {
  const record = async ({ event, response, error }: middy.Request<BearerEvent, HttpResult>) => {
    const { connection, rawPath: path, requestContext } = event;
    const { method } = requestContext.http;
    const { statusCode: status = 500 } = response ?? {};
    const refusal = error ? scimErrorOf(toServiceError(error), event) : { status, scimType: null, detail: '' };
    if (connection === undefined || refusal.status === 401) return;
    await recordDirectoryRequest(connection, { method, path, ...refusal });
  };
  return { after: record, onError: record };
}

/** What can be done at a path. A search by POST does what a GET of the list does. */
function operationsAt(path: string, id: string | undefined, { ofList, ofResource, ofAll }: ScimOperations) {
  if (path === scimSearchPath && ofAll !== undefined) return { POST: ofAll };
  if (isSearch(path)) return { POST: ofList.GET };
  return id === undefined ? ofList : ofResource;
}

function isSearch(path: string): boolean {
  return path.endsWith('/.search');
}

function operationOf(operations: Readonly<Record<string, ScimOperation>>, method: string): ScimOperation {
  const run = Object.hasOwn(operations, method) ? operations[method] : undefined;
  if (run !== undefined) return run;
  throw methodNotAllowed(method, Object.keys(operations));
}

/** The response with a resource: its version as ETag and, if it was created, its address. */
export function resourceResponse(
  resource: ScimResource,
  { selection }: Pick<ScimRequest, 'selection'>,
  { created }: { readonly created: boolean } = { created: false },
): HttpResult {
  const { version, location } = resource.meta;
  const headers = { etag: version, ...(created && { location }) };
  return scimResponse(created ? 201 : 200, select(resource, selection), headers);
}

/** The response with a page of resources. */
export function listed(
  resources: readonly ScimResource[],
  page: { readonly total: number; readonly startIndex: number },
  { selection }: Pick<ScimRequest, 'selection'>,
): HttpResult {
  return scimResponse(
    200,
    listResponse(
      resources.map((resource) => select(resource, selection)),
      page,
    ),
  );
}
