import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { type BearerEndpoint, routeKeyOf } from '#shared/contract/bearer-endpoint.ts';
import type { HttpHandler } from '#shared/http/http-event.ts';
import { answerInMemory } from '#test/support/answer-in-memory.ts';
import { watchServiceTable } from '#test/support/watch-sdk.ts';
import { createHttpEvent, matchRoute } from '../../../../local/http-api-event.ts';
import { MemoryTable } from '../../../../local/memory/memory-table.ts';
import { scimGroupsEndpoint, scimUsersEndpoint } from '../../contract/scim-endpoints.ts';
import { newDirectory } from './new-directory.ts';

/** What a request did to one item. */
export interface WrittenItem {
  readonly pk: string;
  readonly sk: string;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

/** The answer of an endpoint. */
export interface ScimAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each check reads the members that it knows
  readonly body: any;
}

/** A directory whose requests go to the handlers of the endpoints, in this process, over a table in memory. */
export interface ScimInMemory {
  ask(method: string, path: string, body?: object): Promise<ScimAnswer>;
  /** What was written since the last call, without the records of requests and of the use of keys. */
  takeWritten(): readonly WrittenItem[];
}

/** Starts with an empty table. Its client is the service's own, so there is one at a time in a process. */
export async function startScimInMemory(): Promise<ScimInMemory> {
  const table = new WatchedTable();
  const sdk = await watchServiceTable();
  sdk.fault = async (request) => {
    sdk.requests.length = 0;
    return { response: { statusCode: 200 }, output: { $metadata: {}, ...answerInMemory(table, request) } };
  };
  const token = await tokenOfNewDirectory();
  const handlers = await Promise.all([handlerOf(scimUsersEndpoint), handlerOf(scimGroupsEndpoint)]);
  const routes = [scimUsersEndpoint, scimGroupsEndpoint].flatMap(routesOf);
  table.takeWritten();
  return {
    takeWritten: () => table.takeWritten().filter(({ pk, sk }) => !/#ACTIVITY$/.test(pk) && !sk.startsWith('KEYUSE#')),
    ask: async (method, path, body) => {
      const match = matchRoute(routes, method, `/scim/v2${path}`);
      if (match === undefined) throw new Error(`${method} ${path} is not a request to a directory's endpoint`);
      const event = createHttpEvent(wireRequest(token, method, path, body), `/scim/v2${path}`, match);
      const handler = handlers[match.route.functionId === scimUsersEndpoint.name ? 0 : 1] as HttpHandler;
      const { statusCode = 200, body: text = '' } = await handler(event, context);
      return { status: statusCode, body: text === '' ? null : JSON.parse(String(text)) };
    },
  };
}

/** The time that the functions have. */
const context = { awsRequestId: 'fuzz', getRemainingTimeInMillis: () => 12_000 } as Context;

async function handlerOf({ name }: BearerEndpoint): Promise<HttpHandler> {
  return (await import(`../../functions/${name}.ts`)).handler;
}

function routesOf({ name, routes }: BearerEndpoint) {
  return routes.map((route) => ({ routeKey: routeKeyOf(route), functionId: name, isProtected: false }));
}

async function tokenOfNewDirectory(): Promise<string> {
  const { deriveToken } = await import('#options/connections/server/connection-token.ts');
  const { rootKey } = await import('#shared/keys/root-keys.ts');
  const root = await rootKey('c1');
  if (root === undefined) throw new Error('The environment has no root c1');
  const { caller } = await newDirectory({ takeover: 'matching' });
  return deriveToken(root, caller.keyId);
}

function wireRequest(token: string, method: string, path: string, body: object | undefined) {
  const content = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    host: ['auth.example.com'],
    authorization: [`Bearer ${token}`],
    accept: ['application/scim+json'],
    ...(body !== undefined && { 'content-type': ['application/scim+json; charset=utf-8'] }),
  };
  return {
    method,
    path: `/scim/v2${path}`,
    query: '',
    headers,
    body: Buffer.from(content),
    protocol: 'HTTP/1.1',
    sourceIp: '192.0.2.1',
    authority: 'auth.example.com',
    requestId: randomUUID(),
    receivedAt: new Date(),
  };
}

/** Remembers what was written. */
class WatchedTable extends MemoryTable {
  #written: WrittenItem[] = [];

  override apply(...write: Parameters<MemoryTable['apply']>) {
    const mutation = super.apply(...write);
    if (mutation !== undefined) this.#written.push(mutation);
    return mutation;
  }

  takeWritten(): readonly WrittenItem[] {
    const taken = this.#written;
    this.#written = [];
    return taken;
  }
}
