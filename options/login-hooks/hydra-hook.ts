import * as v from 'valibot';
import { jsonObject, objectWith, parseHook, rolesClaim, type TokenRequest, text } from './token-request.ts';

/*
 * The token hook of Ory Hydra: https://www.ory.sh/docs/hydra/guides/oauth2-webhooks
 * Hydra calls it for every grant, before it issues tokens.
 */

const extraClaims = v.nullish(jsonObject);

const requestSchema = objectWith({
  session: objectWith({
    id_token: v.nullish(
      objectWith({ subject: v.nullish(v.string('must be text')), id_token_claims: v.nullish(jsonObject) }),
    ),
    extra: extraClaims,
  }),
  request: objectWith({
    client_id: text,
    grant_types: v.pipe(v.array(v.string('must be text'), 'must be a list'), v.minLength(1, 'must name the grant')),
  }),
});

/** What the hook asks, and the extra claims that the tokens already have, which an answer replaces as a whole. */
export interface HydraRequest extends TokenRequest {
  readonly accessClaims: Readonly<Record<string, unknown>>;
  readonly idClaims: Readonly<Record<string, unknown>>;
}

/** Reads the body of a request; 400 `invalid_request` for anything else. */
export function readHydraRequest(body: unknown): HydraRequest {
  const { session, request } = parseHook(requestSchema, body);
  const { subject, id_token_claims: standardClaims } = { ...session.id_token };
  const accessClaims = session.extra ?? {};
  const idClaims = v.parse(v.fallback(jsonObject, {}), standardClaims?.ext);
  // Hydra itself accepts the client-credentials grant only alone.
  const [grant, ...others] = request.grant_types;
  const isOfClient = grant === 'client_credentials' && others.length === 0;
  return {
    clientId: request.client_id,
    user: isOfClient ? undefined : { id: subject ?? undefined, claims: [standardClaims ?? {}, idClaims, accessClaims] },
    accessClaims,
    idClaims,
  };
}

/** The answer that adds the user's roles to the tokens; an access token that is not a JWT shows them when it is introspected. */
export function hydraSession({ accessClaims, idClaims }: HydraRequest, roles: readonly string[]): object {
  const added = { [rolesClaim]: roles };
  return { session: { access_token: { ...accessClaims, ...added }, id_token: { ...idClaims, ...added } } };
}
