import { randomBytes } from 'node:crypto';
import {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  errors,
  type Grant,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { manageScope } from '#shared/contract/operation.ts';
import { logoutPage, messagePage, pageHeaders } from './login-pages.ts';
import { describeOperator, type TokenKey, tokenClaimsOf, tokenSeconds } from './operator-tokens.ts';
import { localUserPool } from './template-resources.ts';

/** 12 hours, as in the stack's user pool (`lib/operators/operator-login.ts`). */
const sessionSeconds = 12 * 60 * 60;
const scopes = ['openid', 'email', 'profile', manageScope];
/** The resource indicator of its access tokens, used by default. */
const resource = 'urn:auth-service:manage';

/** An OpenID provider that accepts any operator name, with one public client for programs on this machine. */
export function createLoginProvider(issuer: string, { privateJwk }: TokenKey): Provider {
  return new Provider(issuer, {
    adapter: createMemoryAdapter(),
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
    loadExistingGrant: grantAll,
    issueRefreshToken: () => true,
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
    renderError: (ctx, { error, error_description }) => render(ctx, messagePage(error, error_description ?? '')),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => render(ctx, logoutPage(form)),
        postLogoutSuccessSource: (ctx) => render(ctx, messagePage('Logged out', 'You are logged out.')),
      },
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

function loginOnly() {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
}

/** Grants all scopes without a consent page: every account is an operator. */
async function grantAll({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, session, provider } = oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (existing !== undefined) return existing;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(scopes.join(' '));
  grant.addResourceScope(resource, scopes.join(' '));
  await grant.save();
  return grant;
}

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

function render(ctx: KoaContextWithOIDC, html: string): void {
  ctx.set(pageHeaders);
  ctx.body = html;
}

/** Keeps the provider's state in memory (oidc-provider, `Adapter`); the provider itself checks expiry. */
function createMemoryAdapter(): AdapterFactory {
  const stored = new Map<string, AdapterPayload>();
  const findBy = (model: string, matches: (payload: AdapterPayload) => boolean) =>
    [...stored].find(([key, payload]) => key.startsWith(`${model} `) && matches(payload))?.[1];
  return (model): Adapter => ({
    upsert: async (id, payload) => void stored.set(`${model} ${id}`, payload),
    find: async (id) => stored.get(`${model} ${id}`),
    findByUid: async (uid) => findBy(model, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findBy(model, (payload) => payload.userCode === userCode),
    consume: async (id) =>
      void Object.assign(stored.get(`${model} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id) => void stored.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    },
  });
}
