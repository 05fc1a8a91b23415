import { type Answer, exchange } from './send-request.ts';
import type { TestService } from './start-service.ts';

export interface TokenRequestOptions {
  /** The token of a connection. Default: none. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: object | string;
}

/** Sends a request to an endpoint for connections, which no OpenAPI document describes. */
export function sendWithToken(
  { url }: Pick<TestService, 'url'>,
  [method, target]: readonly [method: string, target: string],
  { token, headers = {}, body }: TokenRequestOptions = {},
): Promise<Answer> {
  const content = typeof body === 'object' ? JSON.stringify(body) : body;
  return exchange(url, {
    method,
    target,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: content,
  });
}
