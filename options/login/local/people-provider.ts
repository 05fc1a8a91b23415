import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Account,
  type Client,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { TokenKey } from '#local/operator-tokens.ts';
import { commonParts, grantAll, loginOnly, type ProviderState } from '#local/provider-parts.ts';
import { type ClientSettings, tokenSeconds } from './client-settings.ts';
import { isSecretOf, peopleScopes, withPoolClients } from './people-clients.ts';
import type { ClaimChanges, PreTokenTrigger, TokenChanges } from './pre-token-trigger.ts';
import type { PoolUser, StandInPool } from './stand-in-pool.ts';
import { serveUserInfo, userInfoMetadata } from './user-info.ts';

/** Managed login keeps a session for an hour. */
const sessionSeconds = 60 * 60;
/** The resource indicator of the access tokens, used by default; without one the provider issues no JWT. */
const resource = 'urn:auth-service:people';

/** The pool of a provider, the function that decides before its tokens, and where it keeps its state. */
export interface PeopleProviderOptions {
  readonly issuer: string;
  readonly pool: StandInPool;
  readonly trigger: PreTokenTrigger;
  readonly state: ProviderState;
  readonly key: TokenKey;
}

/**
 * An OpenID provider for the people of a pool, at the paths of Cognito's managed login. It differs from Cognito:
 *
 * - The issuer is also where the pages are; Cognito has another host for them.
 * - A public client must use PKCE, which Cognito leaves to the client.
 * - The function is invoked when the person logs in, and again for the code; Cognito invokes it once. Who is refused sees a page
 *   here; Cognito sends the application `error=invalid_request` with the function's message.
 * - `AdminUserGlobalSignOut` also ends the session of the browser, which Cognito leaves for up to an hour.
 * - A refresh answers with a refresh token also where it is not rotated.
 * - There is no implicit flow, no client credentials, and no `/logout` that begins another login.
 * - Scopes of resource servers are left out, and so are the scopes that the function adds or suppresses.
 */
export function createPeopleProvider(options: PeopleProviderOptions): Provider {
  const { issuer, pool, state, key } = options;
  const secondsOf = ({ clientId }: Client) => tokenSeconds(settingsOf(pool, clientId));
  const provider = new Provider(issuer, {
    ...commonParts,
    adapter: withPoolClients(pool, state.adapter),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    responseTypes: ['code'],
    scopes: [...peopleScopes],
    pkce: { required: (_, { clientAuthMethod }) => clientAuthMethod === 'none' },
    jwks: { keys: [{ ...key.privateJwk, kty: 'RSA' } as NonNullable<Configuration['jwks']>['keys'][number]] },
    discovery: userInfoMetadata(issuer),
    cookies: { keys: [randomBytes(32).toString('hex')] },
    conformIdTokenClaims: false,
    findAccount: (ctx, sub, token) => findAccount(ctx, sub, token as Source | undefined, options),
    extraTokenClaims: ({ oidc }) => (oidc.account as Person | undefined)?.accessClaims,
    formats: { customizers: { jwt: (_, __, { payload }) => hideAudience(payload) } },
    loadExistingGrant: grantAll(peopleScopes, resource),
    rotateRefreshToken: ({ oidc }) =>
      settingsOf(pool, oidc.client?.clientId).RefreshTokenRotation?.Feature === 'ENABLED',
    clientBasedCORS: (_, origin, { redirectUris = [] }) =>
      origin !== 'null' && redirectUris.some((uri) => new URL(uri).origin === origin),
    ttl: {
      AccessToken: (_, __, client) => secondsOf(client).access,
      AuthorizationCode: 5 * 60,
      IdToken: (_, __, client) => secondsOf(client).id,
      RefreshToken: (_, __, client) => secondsOf(client).refresh,
      Grant: 3650 * 24 * 60 * 60,
      Interaction: sessionSeconds,
      Session: sessionSeconds,
    },
    interactions: { policy: loginPolicy(), url: (_, { uid }) => `/interaction/${uid}` },
    routes: {
      authorization: '/oauth2/authorize',
      token: '/oauth2/token',
      revocation: '/oauth2/revoke',
      jwks: '/.well-known/jwks.json',
      end_session: '/logout',
    },
    features: {
      ...commonParts.features,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        getResourceServerInfo: () => ({
          scope: peopleScopes.join(' '),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  adjustModels(provider, pool);
  serveUserInfo(provider, pool, key);
  return provider;
}

/** An account of the provider, with the claims of its tokens. */
interface Person extends Account {
  readonly idClaims: Readonly<Record<string, unknown>>;
  readonly accessClaims: Readonly<Record<string, unknown>>;
}

/** The code or refresh token for which an account is asked. */
type Source = Pick<InstanceType<Provider['RefreshToken']>, 'kind' | 'scopes'>;

/** Who may log in or refresh: an enabled user whom the function lets in. It is asked at the login, for the code and at each refresh. */
async function findAccount(
  { oidc }: KoaContextWithOIDC,
  sub: string,
  token: Source | undefined,
  { pool, trigger }: PeopleProviderOptions,
): Promise<Person | undefined> {
  const user = pool.findBySub(sub);
  const clientId = oidc.client?.clientId;
  if (user === undefined || !user.Enabled || clientId === undefined) return undefined;
  const source = token?.kind === 'RefreshToken' ? 'TokenGeneration_RefreshTokens' : 'TokenGeneration_HostedAuth';
  const changes = await trigger({ source, user, clientId, scopes: [...(token?.scopes ?? oidc.requestParamScopes)] });
  return changes && describePerson(user, changes);
}

function describePerson(user: PoolUser, { id, access }: TokenChanges): Person {
  const { Username, sub, attributes } = user;
  const event = { event_id: randomUUID(), origin_jti: randomUUID() };
  const { email, email_verified, ...others } = attributes;
  const own = {
    ...others,
    ...(email !== undefined && { email, email_verified: email_verified === 'true' }),
    'cognito:username': Username,
    token_use: 'id',
    jti: randomUUID(),
    ...event,
  };
  return {
    accountId: sub,
    claims: () => ({ sub }),
    idClaims: applyChanges(own, id),
    accessClaims: applyChanges({ username: Username, token_use: 'access', version: 2, ...event }, access),
  };
}

function applyChanges(claims: Readonly<Record<string, unknown>>, { added, suppressed }: ClaimChanges) {
  return Object.fromEntries(Object.entries({ ...claims, ...added }).filter(([name]) => !suppressed.includes(name)));
}

/** Cognito's access tokens have no `aud`. The provider requires one, so it remains, but is not serialized. */
function hideAudience(payload: object): void {
  const { aud } = payload as { aud?: unknown };
  Object.defineProperty(payload, 'aud', { value: aud, enumerable: false, writable: true });
}

/** What no setting of the provider reaches: exact redirect addresses, two secrets, and any claim in ID tokens. */
function adjustModels(provider: Provider, pool: StandInPool): void {
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed(this: Client, uri: string) {
      return this.redirectUris?.includes(uri) === true;
    },
    compareClientSecret(this: Client, given: string) {
      return isSecretOf(pool.clients.get(this.clientId), given);
    },
  });
  const { payload } = provider.IdToken.prototype;
  provider.IdToken.prototype.payload = async function () {
    return { ...(await payload.call(this)), ...(this.ctx.oidc.account as Person | undefined)?.idClaims };
  };
}

/** Asks for another person when somebody with a session may not enter. */
function loginPolicy() {
  const policy = loginOnly();
  const hasNoAccess = ({ oidc }: KoaContextWithOIDC) =>
    oidc.session?.accountId !== undefined && oidc.account === undefined;
  policy.get('login')?.checks.add(new interactionPolicy.Check('no_access', 'The user has no access.', hasNoAccess));
  return policy;
}

function settingsOf(pool: StandInPool, clientId = ''): ClientSettings {
  const client = pool.clients.get(clientId);
  if (client === undefined) throw new Error(`The client ${clientId} was deleted during the request.`);
  return client.settings;
}
