import { readEvaluations } from '#shared/authzen/evaluation-request.ts';
import { evaluateManyDoor } from '#shared/contract/doors.ts';
import { authzenEndpoint } from '#shared/http/door/authzen-endpoint.ts';

/** POST /access/v1/evaluations: the same for several users, applications and roles at once. */
export const handler = authzenEndpoint(evaluateManyDoor, readEvaluations);
