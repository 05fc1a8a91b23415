import { evaluation } from '#options/connections/contract/evaluation.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';

/** The token inline hook of Okta, called before a custom authorization server issues tokens. */
export const oktaHookEndpoint = {
  ...evaluation,
  name: 'answer-okta-hook',
  routes: [{ method: 'POST', path: '/hooks/okta' }],
} as const satisfies BearerEndpoint;

/** The token hook of Ory Hydra, called before it issues tokens. */
export const hydraHookEndpoint = {
  ...evaluation,
  name: 'answer-hydra-hook',
  routes: [{ method: 'POST', path: '/hooks/hydra' }],
} as const satisfies BearerEndpoint;

/** The endpoints for identity providers. */
export const loginHookEndpoints = [oktaHookEndpoint, hydraHookEndpoint] as const;
