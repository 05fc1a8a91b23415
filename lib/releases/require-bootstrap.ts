import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { toolkitStackName } from '../settings/account-settings.ts';
import { type PlannedStack, readPlannedStack } from './assembly.ts';
import { readCallerAccount } from './caller-account.ts';
import { bootstrapVariantOf, describeStack } from './describe-stack.ts';
import { sendSigned } from './signed-request.ts';

/**
 * Throws if the bootstrap that would deploy an assembly is missing, or is that of another stage, and names the command that
 * creates it. Nothing is refused if the credentials may not read the bootstrap. `variant` is the bootstrap of the stage.
 */
export async function requireBootstrap(assembly: string, variant: string): Promise<void> {
  const planned = readPlannedStack(assembly);
  const client = new CloudFormationClient(planned.region === undefined ? {} : { region: planned.region });
  try {
    const { bootstrapQualifier: qualifier } = planned;
    if (!(await exists(client, `/cdk-bootstrap/${qualifier}/version`))) {
      throw new Error(
        `The bootstrap ${qualifier} is missing in this account and Region. Create it once: ${await commandOf(client, planned)}`,
      );
    }
    if (!planned.hasOwnBootstrap) return;
    const stack = await describeStack(client, toolkitStackName(qualifier)).catch(() => undefined);
    const deployed = bootstrapVariantOf(stack);
    if (deployed === undefined || deployed === variant) return;
    throw new Error(
      `The bootstrap ${qualifier} is "${deployed}", whose roles cannot deploy ${planned.stackName}. Give this stage its own with bootstrapQualifier in accounts in cdk.json, then: ${await commandOf(client, planned)}`,
    );
  } finally {
    client.destroy();
  }
}

async function exists(client: CloudFormationClient, name: string): Promise<boolean> {
  const body = JSON.stringify({ Name: name });
  const target = 'AmazonSSM.GetParameter';
  return await sendSigned(client, { service: 'ssm', method: 'POST', path: '/', body, target }).then(
    () => true,
    (error: Error) => !error.message.includes('ParameterNotFound'),
  );
}

async function commandOf(client: CloudFormationClient, planned: PlannedStack): Promise<string> {
  const { bootstrapQualifier: qualifier, stage } = planned;
  const account = planned.account ?? (await readCallerAccount(client).catch(() => '<account>'));
  const place = `aws://${account}/${await client.config.region()}`;
  if (planned.hasOwnBootstrap) return `npm run bootstrap -- ${place} -c stage=${stage}`;
  return `npx cdk bootstrap ${place}${qualifier === 'hnb659fds' ? '' : ` --qualifier ${qualifier}`}`;
}
