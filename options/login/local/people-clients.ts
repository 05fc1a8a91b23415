import { timingSafeEqual } from 'node:crypto';
import type { Adapter, AdapterFactory, AdapterPayload, ClientMetadata } from 'oidc-provider';
import type { StandInPool, StoredClient } from './stand-in-pool.ts';

/** The scopes that Cognito knows without a resource server. */
export const peopleScopes = ['openid', 'email', 'phone', 'profile', 'aws.cognito.signin.user.admin'] as const;

/** Stores of a provider whose clients are those of a pool, as they are at each request. */
export function withPoolClients(pool: StandInPool, adapter: AdapterFactory): AdapterFactory {
  return (model) => {
    const stored = adapter(model);
    if (model === 'Client') return { ...stored, find: async (id) => describeClient(pool.clients.get(id)) };
    return model === 'RefreshToken' ? withGrace(pool, stored) : stored;
  };
}

/** A client for the provider; undefined for one that may not use the code flow. */
function describeClient(client: StoredClient | undefined): (AdapterPayload & ClientMetadata) | undefined {
  if (client === undefined) return undefined;
  const { ClientId, settings, secrets } = client;
  if (!settings.AllowedOAuthFlowsUserPoolClient || !settings.AllowedOAuthFlows.includes('code')) return undefined;
  const [secret] = secrets;
  const isWeb = [...settings.CallbackURLs, ...settings.LogoutURLs].every((url) => /^https?:/.test(url));
  return {
    client_id: ClientId,
    client_name: settings.ClientName,
    // Either way of sending a secret is accepted, whichever is named here.
    token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_basic',
    ...(secret && { client_secret: secret.value }),
    application_type: isWeb ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: settings.CallbackURLs,
    post_logout_redirect_uris: settings.LogoutURLs,
    scope: peopleScopes.filter((scope) => settings.AllowedOAuthScopes.includes(scope)).join(' '),
  };
}

/** A rotated refresh token can be used again for a short time, by an application that lost the answer. */
function withGrace(pool: StandInPool, stored: Adapter): Adapter {
  return {
    ...stored,
    find: async (id) => {
      const token = await stored.find(id);
      if (!token || typeof token.consumed !== 'number') return token;
      const { RefreshTokenRotation } = pool.clients.get(token.clientId ?? '')?.settings ?? {};
      const usableUntil = token.consumed + (RefreshTokenRotation?.RetryGracePeriodSeconds ?? 0);
      return Date.now() / 1000 < usableUntil ? { ...token, consumed: undefined } : token;
    },
  };
}

/** Whether a text is one of the secrets of a client, of which it can have two. */
export function isSecretOf(client: StoredClient | undefined, given: string): boolean {
  const bytes = Buffer.from(given);
  return (client?.secrets ?? []).some(({ value }) => {
    const secret = Buffer.from(value);
    return secret.length === bytes.length && timingSafeEqual(secret, bytes);
  });
}
