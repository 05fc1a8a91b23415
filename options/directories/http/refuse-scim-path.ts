import type { RefusePath } from '#shared/http/refuse-path.ts';
import { scimPath } from '../contract/scim-endpoints.ts';
import { scimErrorResponse } from './scim-response.ts';

/** A path that SCIM does not have is refused as SCIM does. */
export const refuseScimPath: RefusePath = (error, event) => {
  const { path } = event.requestContext.http;
  return path === scimPath || path.startsWith(`${scimPath}/`) ? scimErrorResponse(error, event) : undefined;
};
