import { bearerRequest } from '#shared/calls/call-bearer-endpoint.ts';
import type { OptionProbes } from '#smoke/option-probes.ts';
import { keyOf, requireEqual } from '#smoke/trial.ts';
import { loginHookSamples } from './login-hook-samples.ts';

/** A login of the run's user through each identity provider is decided as by the Service API. */
export const loginHookProbes: OptionProbes = {
  bearer: loginHookSamples.map(({ endpoint, operation, request, expected }) => ({
    endpoint,
    does: `decides ${operation}`,
    run: async (trial, api) => {
      const { service, userId, appId, connectionKey } = trial;
      const { effectiveStatus } = await service.call('get-access', { path: { userId } }, keyOf(trial));
      const { body } = request({ userIds: [userId], appId, groupId: '', turn: 1 });
      const sent = { ...bearerRequest(api, endpoint, connectionKey?.token), body: JSON.stringify(body) };
      const reply = await service.send(sent);
      // Okta takes every other status for an outage, so a refusal has the status of an answer.
      const isAdmitted = reply.status === expected && !('error' in reply.body);
      requireEqual('admitted', isAdmitted, effectiveStatus === 'enabled');
      return `${effectiveStatus}, as the Service API says`;
    },
  })),
};
