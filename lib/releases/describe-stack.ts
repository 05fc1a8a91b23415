import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';

/** Describes a stack of the client's account and Region; undefined if it does not exist. */
export async function describeStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (error) {
    if (isMissingStack(error)) return undefined;
    throw error;
  }
}

/** Whether CloudFormation returns a stack to what was deployed before. */
export async function isRollingBack(client: CloudFormationClient, name: string): Promise<boolean> {
  const stack = await describeStack(client, name);
  return stack?.StackStatus?.includes('ROLLBACK') ?? false;
}

/** Which bootstrap a toolkit's stack is; undefined if it does not say. */
export function bootstrapVariantOf(stack: Stack | undefined): string | undefined {
  return stack?.Parameters?.find(({ ParameterKey }) => ParameterKey === 'BootstrapVariant')?.ParameterValue;
}

/** Whether CloudFormation says that a stack does not exist, for which it has no code of its own. */
export function isMissingStack(error: unknown): boolean {
  if (!(error instanceof CloudFormationServiceException)) return false;
  return error.name === 'ValidationError' && error.message.includes('does not exist');
}
