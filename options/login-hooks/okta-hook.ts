import * as v from 'valibot';
import { jsonObject, objectWith, parseHook, rolesClaim, type TokenRequest, text } from './token-request.ts';

/*
 * The token inline hook of Okta: https://developer.okta.com/docs/api/openapi/okta-management/management/tags/inlinehook/webhooks/createtokeninlinehook
 * A custom authorization server calls it before it issues tokens.
 */

const token = v.nullish(objectWith({ claims: v.exactOptional(jsonObject, {}) }));

const requestSchema = objectWith({
  eventType: v.literal('com.okta.oauth2.tokens.transform', 'must be com.okta.oauth2.tokens.transform'),
  data: objectWith({
    context: objectWith({
      user: v.nullish(objectWith({ id: v.exactOptional(text), profile: v.exactOptional(jsonObject, {}) })),
      protocol: objectWith({ client: objectWith({ id: text }), request: v.exactOptional(jsonObject, {}) }),
    }),
    identity: token,
    access: token,
  }),
});

/** What the hook asks, and the types of commands for the tokens that are requested; Okta refuses those for other tokens. */
export interface OktaRequest extends TokenRequest {
  readonly commandTypes: readonly string[];
}

/** Reads the body of a request; 400 `invalid_request` for anything else. */
export function readOktaRequest(body: unknown): OktaRequest {
  const { context, identity, access } = parseHook(requestSchema, body).data;
  const { user, protocol } = context;
  // Okta repeats in `request` what the client sent, so only together with the missing user does it say that none logs in.
  const isOfClient = !user && protocol.request?.grant_type === 'client_credentials';
  const claims = [user?.profile, access?.claims, identity?.claims].filter((place) => place !== undefined);
  return {
    clientId: protocol.client.id,
    user: isOfClient ? undefined : { id: user?.id, claims },
    commandTypes: [
      ...(isRequested(identity) ? ['com.okta.identity.patch'] : []),
      ...(isRequested(access) ? ['com.okta.access.patch'] : []),
    ],
  };
}

/** Every token has claims, such as `iss`. */
function isRequested(described: v.InferOutput<typeof token>): boolean {
  return Object.keys(described?.claims ?? {}).length > 0;
}

/** The answer that lets Okta issue the tokens, with the user's roles in each; unchanged without a user. */
export function oktaCommands({ commandTypes }: OktaRequest, roles: readonly string[] | undefined): object {
  if (roles === undefined) return { commands: [] };
  const value = [{ op: 'add', path: `/claims/${rolesClaim}`, value: roles }];
  return { commands: commandTypes.map((type) => ({ type, value })) };
}

/** The answer that lets Okta issue no token: the client gets `server_error` with this description. Its status must be 200. */
export function oktaDenial(errorSummary: string): object {
  return { error: { errorSummary } };
}
