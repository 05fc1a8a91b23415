import { hookEndpoint, hookResponse } from '../hook-endpoint.ts';
import { oktaHookEndpoint } from '../login-hook-endpoints.ts';
import { oktaCommands, oktaDenial, readOktaRequest } from '../okta-hook.ts';

/**
 * POST /hooks/okta: whether Okta may issue tokens, and with which roles. Okta issues them unchanged after any status but 200, so
 * every refusal is a 200 with an error.
 */
export const handler = hookEndpoint(oktaHookEndpoint, {
  read: readOktaRequest,
  allow: (request, roles) => hookResponse(oktaCommands(request, roles)),
  respondTo: ({ code, options: { detail }, message }) =>
    hookResponse(oktaDenial(code === 'access_denied' ? detail : message)),
});
