import { randomBytes } from 'node:crypto';
import {
  AttachRolePolicyCommand,
  CreateRoleCommand,
  DeleteRoleCommand,
  DetachRolePolicyCommand,
  NoSuchEntityException,
} from '@aws-sdk/client-iam';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { policies } from './permission-steps.ts';
import { type ProofContext, type ProofStep, waitFor } from './proof-step.ts';
import { CommandError } from './run-command.ts';
import { manage } from './stage-deployment.ts';

const roleName = ({ account }: ProofContext) => `${account.stackName}-prove-caller`;

/** A role that has only the stack's policy for callers, and no other permission in the account. */
export const functionUrlStep: ProofStep = {
  name: 'function-url',
  title: 'call the Management API as a role that has only the policy for callers',
  proves: ['function-url'],
  commands: ['aws iam create-role, attach-role-policy', 'aws sts assume-role', 'npm run -s manage -- whoami'],
  expects: 'refused without the policy; with it, the answer names the role',
  timeoutMinutes: 15,
  emulationLacks: policies,
  async run(context) {
    const policy = await context.account.output('ManageCallersPolicyArn');
    const { arn } = await context.account.caller();
    await createRole(context);
    const env = await assume(context);
    const before = await whoami(context, env);
    if (before !== undefined && !context.isEmulated) throw new Error(`without the policy, ${before} was answered`);
    await context.account.iam.send(new AttachRolePolicyCommand({ RoleName: roleName(context), PolicyArn: policy }));
    const operator = await waitFor(context, { what: 'an answer with the policy', minutes: 3 }, () =>
      whoami(context, env),
    );
    if (!operator.includes(roleName(context)) && !context.isEmulated) throw new Error(`the operator is ${operator}`);
    return { caller: arn, withoutPolicy: before ?? 'refused', operator };
  },
  async cleanUp(context) {
    const { iam } = context.account;
    const role = { RoleName: roleName(context) };
    const policy = await context.account.output('ManageCallersPolicyArn');
    await ignoreMissing(() => iam.send(new DetachRolePolicyCommand({ ...role, PolicyArn: policy })));
    await ignoreMissing(() => iam.send(new DeleteRoleCommand(role)));
  },
};

async function createRole(context: ProofContext): Promise<void> {
  const { account } = await context.account.caller();
  const trust = { Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' };
  await context.account.iam.send(
    new CreateRoleCommand({
      RoleName: roleName(context),
      AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [trust] }),
    }),
  );
}

/** A new role can be assumed only after some seconds. */
async function assume(context: ProofContext): Promise<Record<string, string>> {
  const { account } = await context.account.caller();
  const partition = (await context.account.output('ManageCallersPolicyArn')).split(':')[1];
  const RoleArn = `arn:${partition}:iam::${account}:role/${roleName(context)}`;
  const RoleSessionName = `prove-${randomBytes(4).toString('hex')}`;
  return waitFor(context, { what: `the session of ${RoleArn}`, minutes: 3 }, async () => {
    try {
      const { Credentials } = await context.account.sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName }));
      const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
      return {
        AWS_ACCESS_KEY_ID: AccessKeyId,
        AWS_SECRET_ACCESS_KEY: SecretAccessKey,
        AWS_SESSION_TOKEN: SessionToken,
      };
    } catch (error) {
      if ((error as Error).name === 'AccessDenied') return undefined;
      throw error;
    }
  });
}

/** The operator as the service sees it; undefined if the function URL refuses the caller. */
async function whoami(context: ProofContext, env: Record<string, string>): Promise<string | undefined> {
  try {
    return v.parse(v.object({ id: v.string() }), await manage(context, ['whoami'], env)).id;
  } catch (error) {
    if (error instanceof CommandError && error.output.includes('403')) return undefined;
    throw error;
  }
}

async function ignoreMissing(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof NoSuchEntityException)) throw error;
  }
}
