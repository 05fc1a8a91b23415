import * as endpoints from '#options/endpoints.ts';
import * as options from '#options/stack.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';
import type { OptionStack } from './option-stack.ts';

/** The sets of endpoints for connections that a stack can have. */
export type EndpointSet = keyof typeof endpoints;
export const endpointSets: Readonly<Record<EndpointSet, readonly BearerEndpoint[]>> = endpoints;

/** The endpoints for connections of all sets. */
export const bearerEndpoints: readonly BearerEndpoint[] = Object.values(endpointSets).flat();

/** What all options add to the stack. */
export const optionStacks: readonly OptionStack[] = Object.values(options);
