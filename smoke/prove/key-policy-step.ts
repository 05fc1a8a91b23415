import { GetKeyPolicyCommand, PutKeyPolicyCommand } from '@aws-sdk/client-kms';
import { sumOf } from './metric-sums.ts';
import { type ProofStep, waitFor } from './proof-step.ts';

/** The same policy changes nothing, but CloudTrail records the call. */
export const keyPolicyStep: ProofStep = {
  name: 'key-policy',
  title: 'put the same policy on a root key by hand',
  proves: ['cloudtrail-events'],
  commands: ['aws kms get-key-policy, put-key-policy', 'aws cloudwatch get-metric-data (Invocations of the rule)'],
  expects: "the rule of the root keys' policies notifies the alarms' topic; needs a trail of management events",
  timeoutMinutes: 25,
  emulationLacks: 'events of CloudTrail',
  async run(context) {
    const { account } = context;
    const arn = (await account.output('RootKeys')).split(',')[0]?.split('=')[1] ?? '';
    const { Policy } = await account.kms.send(new GetKeyPolicyCommand({ KeyId: arn, PolicyName: 'default' }));
    const rule = await account.resource('AWS::Events::Rule', 'RootKeyWatchKeyPolicy');
    const since = new Date();
    await account.kms.send(new PutKeyPolicyCommand({ KeyId: arn, PolicyName: 'default', Policy: Policy ?? '' }));
    const notified = await waitFor(context, { what: `Invocations of the rule ${rule}`, minutes: 20, every: 20 }, () =>
      sumOf(account, { namespace: 'AWS/Events', name: 'Invocations', dimensions: { RuleName: rule }, since }),
    );
    return { rootKey: arn, rule, notified };
  },
};
