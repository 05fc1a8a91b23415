import type { UnsignedRequest } from './management-request.ts';
import type { Authorization } from './send-attempt.ts';

/**
 * A token of an operator, or a function that returns it: called before each request, and after a 401 with the rejected token. If it
 * then returns another one, the request is sent once more.
 */
export type TokenSource = string | ((rejected?: string) => string | Promise<string>);

/** Authorizes requests by a bearer token. */
export function bearerAuthorization(source: TokenSource): Authorization {
  const read = async (rejected?: string) => (typeof source === 'string' ? source : source(rejected));
  // Calls at the same time may have read different tokens.
  const sent = new WeakMap<UnsignedRequest, string>();
  return {
    prepare: async () => undefined,
    headers: async (request) => {
      const token = await read();
      sent.set(request, token);
      return { ...request.headers, authorization: `Bearer ${token}` };
    },
    renew: async (request) => {
      const rejected = sent.get(request);
      return (await read(rejected)) !== rejected;
    },
  };
}
