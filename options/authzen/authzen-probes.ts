import { bearerRequest } from '#shared/calls/call-bearer-endpoint.ts';
import type { BearerProbe } from '#smoke/bearer-probe.ts';
import type { OptionProbes } from '#smoke/option-probes.ts';
import { keyOf, requireEqual } from '#smoke/trial.ts';
import { evaluationEndpoint } from './authzen-endpoints.ts';

/** A question is decided as by the Service API. */
const bearer: readonly BearerProbe[] = [
  {
    endpoint: evaluationEndpoint,
    does: 'decides as the Service API does',
    run: async (trial, api) => {
      const { service, userId, appId, connectionKey } = trial;
      const question = {
        subject: { type: 'user', id: userId },
        action: { name: 'enter' },
        resource: { type: 'application', id: appId },
      };
      const request = bearerRequest(api, evaluationEndpoint, connectionKey?.token);
      const { status, body } = await service.send({ ...request, body: JSON.stringify(question) });
      requireEqual('status', status, 200);
      const { effectiveStatus } = await service.call('get-access', { path: { userId } }, keyOf(trial));
      requireEqual('decision', body.decision, effectiveStatus === 'enabled');
      return `${effectiveStatus}, as the Service API says`;
    },
  },
];

/** What AuthZEN adds to the smoke test. */
export const authzenProbes: OptionProbes = { bearer };
