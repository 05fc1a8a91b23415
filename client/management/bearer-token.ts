import type { Authorization } from './send-attempt.ts';

/**
 * A token of an operator, or a function that returns it: called before each request, and after a 401 with the rejected token. If it
 * then returns another one, the request is sent once more.
 */
export type TokenSource = string | ((rejected?: string) => string | Promise<string>);

/** Authorizes requests by a bearer token. */
export function bearerAuthorization(source: TokenSource): Authorization {
  const read = async (rejected?: string) => (typeof source === 'string' ? source : source(rejected));
  let latest = '';
  return {
    prepare: async () => undefined,
    headers: async ({ headers }) => {
      latest = await read();
      return { ...headers, authorization: `Bearer ${latest}` };
    },
    renew: async () => {
      const rejected = latest;
      return (await read(rejected)) !== rejected;
    },
  };
}
