import { ServiceError } from '#shared/core/errors.ts';
import type { HttpHandler } from '#shared/http/http-event.ts';
import { requireAllowedAddress } from '#shared/http/middleware/allowed-address.ts';
import { endpoint } from '#shared/http/middleware/endpoint.ts';
import { scimDiscoveryEndpoint, scimPath } from '../contract/scim-endpoints.ts';
import { discover } from '../scim/discovery.ts';
import { baseOf, methodNotAllowed, scimErrorResponse, scimResponse } from './scim-response.ts';

/**
 * Answers what the service supports of SCIM. Without a token, as RFC 7643 section 5 recommends: it is the same for everybody,
 * and read from nowhere.
 */
export const answerScimDiscovery: HttpHandler = endpoint({
  identify: () => ({ route: scimDiscoveryEndpoint.name, caller: undefined }),
  isBrief: true,
  api: 'service',
  middlewares: [requireAllowedAddress()],
  handle: async (event) => {
    const { http } = event.requestContext;
    const document = discover(event.rawPath.slice(scimPath.length), baseOf(event));
    if (document === undefined) throw new ServiceError('route_not_found', { detail: 'This path does not exist.' });
    if (http.method !== 'GET') throw methodNotAllowed(http.method, ['GET']);
    return scimResponse(200, document);
  },
  respondTo: scimErrorResponse,
});
