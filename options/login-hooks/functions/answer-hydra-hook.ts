import { readToken } from '#options/connections/http/authenticate-token.ts';
import { answerHeaders, problemResponse } from '#shared/http/problem-response.ts';
import { hookEndpoint, hookResponse } from '../hook-endpoint.ts';
import { hydraSession, readHydraRequest } from '../hydra-hook.ts';
import { hydraHookEndpoint } from '../login-hook-endpoints.ts';

const cookie = 'token=';

/**
 * POST /hooks/hydra: whether Hydra may issue tokens, and with which roles. It turns 403 into `access_denied` and any other error
 * into `server_error`, after which a refresh token can be used again; so 403 is only for users.
 */
export const handler = hookEndpoint(hydraHookEndpoint, {
  tokenOf: ({ headers, cookies = [] }) =>
    readToken(headers.authorization) ?? cookies.find((one) => one.startsWith(cookie))?.slice(cookie.length),
  read: readHydraRequest,
  allow: (request, roles) =>
    roles === undefined ? { statusCode: 204, headers: answerHeaders } : hookResponse(hydraSession(request, roles)),
  respondTo: (error, { requestContext: { requestId } }) => {
    const isOfService = error.status === 403 && error.code !== 'access_denied';
    return problemResponse(error, requestId, isOfService ? 401 : undefined);
  },
});
