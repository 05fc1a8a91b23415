import type { BearerSample } from '#shared/contract/bearer-sample.ts';
import { hydraHookEndpoint, oktaHookEndpoint } from './login-hook-endpoints.ts';

const isLogin = { users: 1, designed: { requests: 1, readUnits: 4 }, expected: 200 } as const;

/** A login through each identity provider. */
export const loginHookSamples: readonly BearerSample[] = [
  {
    ...isLogin,
    endpoint: oktaHookEndpoint,
    operation: 'a login through Okta',
    request: ({ userIds: [userId = ''], appId }) => {
      const claims = { iss: 'https://example.okta.com/oauth2/default', aud: appId, sub: userId };
      const context = {
        user: { id: userId, profile: { login: `${userId}@example.com` } },
        protocol: { client: { id: appId }, request: { grant_type: 'authorization_code' } },
      };
      const data = { context, identity: { claims }, access: { claims } };
      return { body: { eventType: 'com.okta.oauth2.tokens.transform', data } };
    },
  },
  {
    ...isLogin,
    endpoint: hydraHookEndpoint,
    operation: 'a login through Hydra',
    request: ({ userIds: [userId = ''], appId }) => {
      const session = { id_token: { subject: userId, id_token_claims: { sub: userId } }, extra: {} };
      return { body: { session, request: { client_id: appId, grant_types: ['authorization_code'] } } };
    },
  },
];
