import type { ConnectionId } from '#shared/contract/fields.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { type Answer, exchange } from '#test/support/send-request.ts';
import { operator, type TestService } from '#test/support/start-service.ts';
import { newDirectory } from './new-directory.ts';

type ScimRequest = readonly [
  method: string,
  /** Below `/scim/v2`. */
  path: string,
  /** An object is sent as SCIM's JSON, a string unchanged. */
  body?: object | string,
  headers?: Readonly<Record<string, string>>,
];

export interface ConnectedDirectory {
  readonly context: ConnectionContext;
  readonly connectionId: ConnectionId;
  readonly token: string;
  ask(...request: ScimRequest): Promise<Answer>;
}

/** A directory with a token, with which it sends its requests to a running service. */
export async function connectDirectory(
  service: Pick<TestService, 'url'>,
  ...settings: Parameters<typeof newDirectory>
): Promise<ConnectedDirectory> {
  const { issueConnectionKey } = await import('#options/connections/server/connection-keys.ts');
  const context = await newDirectory(...settings);
  const { connectionId } = context.caller;
  const { scopes } = settings[1] ?? {};
  const { token } = await issueConnectionKey({ connectionId, scopes, expiresAt: null, label: null }, operator);
  return { context, connectionId, token, ask: (...request) => askScim(service, token, ...request) };
}

/** Whether something is about the record of requests, which is not part of what a request does. */
export function isActivity(something: unknown): boolean {
  return JSON.stringify(something).includes('#ACTIVITY');
}

/** All items but the record of requests. */
export async function itemsBut(service: Pick<TestService, 'items'>) {
  return new Map([...(await service.items({ feeds: true }))].filter(([key]) => !isActivity(key)));
}

/** Sends a request as Okta does, with this token if there is one. */
export function askScim(
  { url }: Pick<TestService, 'url'>,
  token: string | undefined,
  ...[method, path, body, headers = {}]: ScimRequest
): Promise<Answer> {
  const content = typeof body === 'object' ? JSON.stringify(body) : body;
  return exchange(url, {
    method,
    target: `/scim/v2${path}`,
    headers: {
      accept: 'application/scim+json',
      'user-agent': 'Okta SCIM Client 1.0.0',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
      ...headers,
    },
    body: content,
  });
}
