import { type ProofStep, waitFor } from './proof-step.ts';
import { smokeTest } from './stage-deployment.ts';
import { withApplication } from './trial-application.ts';

/** What an emulation lacks for every step that is about permissions. */
export const policies = 'the evaluation of policies by IAM';

export const smokeStep: ProofStep = {
  name: 'smoke',
  title: 'call every operation, under the policies of the functions',
  proves: ['source-function-arn', 'gateway-role', 'leading-keys'],
  commands: ['npm run -s smoke'],
  expects: 'all checks as expected: a wrong reading of a condition refuses a read or a write, or every request',
  timeoutMinutes: 10,
  emulationLacks: policies,
  run: async (context) => ({ smoke: await smokeTest(context) }),
};

/** The day of a key's last use is an update of two attributes, by a function that may write only those. */
export const keyUseStep: ProofStep = {
  name: 'key-use',
  title: 'use an API key, and see the day of its last use',
  proves: ['attributes'],
  commands: ['GET /api/service/users/<user>/access', 'npm run -s manage -- keys list <application>'],
  expects: 'the key shows the day of its last use',
  timeoutMinutes: 10,
  emulationLacks: policies,
  run: (context) =>
    withApplication(context, async ({ appId, key, manage: client, readAccess }) => {
      const status = await readAccess();
      const lastUsedOn = await waitFor(context, { what: 'the day of the last use', minutes: 5 }, async () => {
        const { items } = await client.call('list-keys', { path: { appId } });
        return items.find(({ keyId }) => keyId === key.keyId)?.lastUsedOn ?? undefined;
      });
      return { status, lastUsedOn };
    }),
};
