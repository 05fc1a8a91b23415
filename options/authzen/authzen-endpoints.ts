import { evaluation } from '#options/connections/contract/evaluation.ts';
import type { BearerEndpoint } from '#shared/contract/bearer-endpoint.ts';

/** One question of the AuthZEN Authorization API 1.0. */
export const evaluationEndpoint = {
  ...evaluation,
  name: 'evaluate-access',
  routes: [{ method: 'POST', path: '/access/v1/evaluation' }],
} as const satisfies BearerEndpoint;

/** Several questions of the AuthZEN Authorization API 1.0. */
export const evaluationsEndpoint = {
  ...evaluation,
  name: 'evaluate-accesses',
  routes: [{ method: 'POST', path: '/access/v1/evaluations' }],
} as const satisfies BearerEndpoint;

/**
 * The question of a proxy for each request that it forwards: nginx's `auth_request`, Caddy's `forward_auth`. By every method, because
 * some proxies ask with that of the request.
 */
export const authorizeEndpoint = {
  ...evaluation,
  name: 'authorize-request',
  routes: [{ method: 'ANY', path: '/access/v1/authorize' }],
} as const satisfies BearerEndpoint;

/** The endpoints for gateways and AuthZEN clients. */
export const authzenEndpoints = [evaluationEndpoint, evaluationsEndpoint, authorizeEndpoint] as const;

/** Where clients of AuthZEN find its endpoints (AuthZEN 1.0, section on metadata). Reads no table, and needs no token. */
export const authzenMetadataPath = '/.well-known/authzen-configuration';
export const authzenMetadataRoute = `GET ${authzenMetadataPath}`;
