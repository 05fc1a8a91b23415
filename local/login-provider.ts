import { randomBytes } from 'node:crypto';
import { type Configuration, errors, Provider } from 'oidc-provider';
import { manageScope } from '#shared/contract/operation.ts';
import { describeOperator, type TokenKey, tokenClaimsOf, tokenSeconds } from './operator-tokens.ts';
import { commonParts, createProviderState, grantAll, loginOnly } from './provider-parts.ts';
import { localUserPool } from './template-resources.ts';

/** 12 hours, as in the stack's user pool (`lib/operators/operator-login.ts`). */
const sessionSeconds = 12 * 60 * 60;
const scopes = ['openid', 'email', 'profile', manageScope];
/** The resource indicator of its access tokens, used by default. */
const resource = 'urn:auth-service:manage';

/** An OpenID provider that accepts any operator name, with one public client for programs on this machine. */
export function createLoginProvider(issuer: string, { privateJwk }: TokenKey): Provider {
  return new Provider(issuer, {
    ...commonParts,
    adapter: createProviderState().adapter,
    clients: [localClient],
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes,
    jwks: { keys: [{ ...privateJwk, kty: 'RSA' } as NonNullable<Configuration['jwks']>['keys'][number]] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // All claims are in the ID token, as with Cognito: the access tokens are for the API, not for a userinfo endpoint.
    conformIdTokenClaims: false,
    findAccount: (_, accountId) => ({ accountId, claims: () => describeOperator(accountId) }),
    extraTokenClaims: (_, token) => ('accountId' in token ? tokenClaimsOf(token.accountId) : undefined),
    loadExistingGrant: grantAll(scopes, resource),
    // Pages served from any port of this machine may send requests.
    clientBasedCORS: (_, origin) => /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(origin),
    ttl: {
      AccessToken: tokenSeconds,
      IdToken: tokenSeconds,
      AuthorizationCode: 60,
      Interaction: 3600,
      RefreshToken: sessionSeconds,
      Session: sessionSeconds,
      Grant: sessionSeconds,
    },
    interactions: { policy: loginOnly(), url: (_, { uid }) => `/interaction/${uid}` },
    features: {
      ...commonParts.features,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        getResourceServerInfo: (_, indicator) => describeResource(indicator),
      },
    },
  });
}

/** "The authorization server MUST allow any port" of the loopback interface for a native app (RFC 8252 section 7.3). */
const localClient = {
  client_id: localUserPool.clientId,
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: ['http://127.0.0.1/', 'http://localhost/', 'http://127.0.0.1/callback', 'http://localhost/callback'],
  post_logout_redirect_uris: ['http://127.0.0.1/', 'http://localhost/'],
} as const satisfies NonNullable<Configuration['clients']>[number];

function describeResource(indicator: string) {
  if (indicator !== resource) throw new errors.InvalidTarget();
  return {
    scope: scopes.join(' '),
    audience: localUserPool.clientId,
    accessTokenTTL: tokenSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  } as const;
}
