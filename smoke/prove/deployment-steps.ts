import { DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import { DeleteTableCommand, DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand } from '@aws-sdk/client-kms';
import { type ProofContext, type ProofStep, waitFor } from './proof-step.ts';
import { lastStep } from './run-steps.ts';
import { deploy, deployedData } from './stage-deployment.ts';

export const deployStep: ProofStep = {
  name: 'deploy',
  title: 'deploy the stage, with releases as in staging',
  proves: [],
  commands: ['npm run deploy -- -c stage=<stage> -c release=canary -c canary=on -c dashboard=none'],
  expects: 'the stack is complete',
  timeoutMinutes: 40,
  emulationLacks: 'IAM, CodeDeploy and the real durations',
  isNeeded: true,
  async run(context) {
    const seconds = await deploy(context);
    const stack = await context.account.findStack();
    return { status: stack?.StackStatus ?? 'none', stack: stack?.StackId ?? 'none', seconds };
  },
};

/** The last one: a stack that keeps its data is protected against it. */
export const endStep: ProofStep = {
  name: lastStep,
  title: 'remove the stack and what the run left beside it',
  proves: ['removal'],
  commands: [
    'aws cloudformation delete-stack (what npx cdk destroy does)',
    'aws dynamodb delete-table (a restored table)',
  ],
  expects: 'the stack and its tables are gone, and its root keys await their deletion',
  timeoutMinutes: 45,
  emulationLacks: 'the effect of DeletionPolicy',
  async run(context) {
    const { account } = context;
    const table = await account.output('TableName');
    const { table: used } = await deployedData(context);
    const keys = (await account.output('RootKeys')).split(',').map((root) => root.split('=')[1] ?? '');
    await deleteStack(context);
    if (used !== 'own') await deleteTable(context, used.split('/')[1] ?? '');
    for (const name of [table, used.split('/')[1] ?? table]) await waitForTheEnd(context, name);
    return { tables: 'deleted', rootKeys: await Promise.all(keys.map((arn) => stateOf(context, arn))) };
  },
};

/** With the role that deployed it, which CloudFormation has kept. */
async function deleteStack(context: ProofContext): Promise<void> {
  const { cloudFormation, findStack, stackName } = context.account;
  await cloudFormation.send(new DeleteStackCommand({ StackName: stackName }));
  await waitFor(
    context,
    { what: `the deletion of the stack ${stackName}`, minutes: 40, emulatedSeconds: 120 },
    async () => {
      const stack = await findStack();
      if (stack?.StackStatus === 'DELETE_FAILED') throw new Error(`${stackName}: ${stack.StackStatusReason}`);
      return stack === undefined ? true : undefined;
    },
  );
}

/** Deletes a table that belongs to no stack; does nothing if it does not exist. */
export async function deleteTable({ account }: ProofContext, name: string): Promise<void> {
  try {
    await account.dynamoDb.send(new DeleteTableCommand({ TableName: name }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

async function waitForTheEnd(context: ProofContext, name: string): Promise<void> {
  const { dynamoDb } = context.account;
  await waitFor(context, { what: `the deletion of the table ${name}`, minutes: 10 }, async () => {
    try {
      await dynamoDb.send(new DescribeTableCommand({ TableName: name }));
      return undefined;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return true;
      throw error;
    }
  });
}

async function stateOf({ account, isEmulated }: ProofContext, arn: string): Promise<string> {
  const { KeyMetadata } = await account.kms.send(new DescribeKeyCommand({ KeyId: arn }));
  const state = KeyMetadata?.KeyState ?? 'unknown';
  if (state !== 'PendingDeletion' && !isEmulated) throw new Error(`the root key ${arn} is ${state}`);
  return `${arn}: ${state}`;
}
