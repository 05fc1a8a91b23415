import { authzenEndpoint } from '../authzen-endpoint.ts';
import { evaluationsEndpoint } from '../authzen-endpoints.ts';
import { readEvaluations } from '../evaluation-request.ts';

/** POST /access/v1/evaluations: the same for several users, applications and roles at once. */
export const handler = authzenEndpoint(evaluationsEndpoint, readEvaluations);
