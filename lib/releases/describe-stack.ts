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
    // CloudFormation has no code of its own for a stack that does not exist.
    const isMissing = error instanceof CloudFormationServiceException && error.message.includes('does not exist');
    if (isMissing && error.name === 'ValidationError') return undefined;
    throw error;
  }
}
