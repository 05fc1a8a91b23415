import * as endpoints from '#options/endpoints.ts';
import * as paths from '#options/public-paths.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import type { PublicPath } from './public-path.ts';

/** The sets of endpoints for connections that a stack can have. */
export type EndpointSet = string;
export const endpointSets: Readonly<Record<EndpointSet, readonly BearerEndpoint[]>> = endpoints;

/** The endpoints for connections of all sets. */
export const bearerEndpoints: readonly BearerEndpoint[] = Object.values(endpointSets).flat();

/** The paths of all options that are answered without a caller. */
export const publicPaths = Object.values<readonly PublicPath[]>(paths).flat();
