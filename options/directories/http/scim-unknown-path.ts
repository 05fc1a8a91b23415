import { routeKeyOf } from '#shared/contract/bearer-endpoint.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from '#shared/http/http-event.ts';
import { directoryEndpoints, scimPath, scimUnknownRoute } from '../contract/scim-endpoints.ts';

/** Whether a request is to a path that SCIM does not have here. */
export function isUnknownPath({ routeKey }: Pick<HttpEvent, 'routeKey'>): boolean {
  return routeKey === routeKeyOf(scimUnknownRoute);
}

const resources = new Set(directoryEndpoints.flatMap(({ routes }) => routes.map(({ path }) => resourceOf(path))));

/** The error for a path that does not exist, with the one that is meant if they differ by slashes alone. */
export function unknownPath(path: string): ServiceError {
  // The base address that an administrator enters often ends in a slash, and a client adds another.
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  const isMeant = plain !== path && resources.has(resourceOf(plain));
  const advice = isMeant ? ` Send ${plain}: the address has a doubled or a trailing slash.` : '';
  return new ServiceError('route_not_found', { detail: `This path does not exist.${advice}` });
}

function resourceOf(path: string): string | undefined {
  return path.slice(scimPath.length).split('/')[1];
}
