import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { isMissingStack } from './describe-stack.ts';

/** The physical ids of the resources of a stack by logical id, without deleted ones; none if there is no stack. */
export async function readResources(client: CloudFormationClient, stackName: string): Promise<Map<string, string>> {
  const resources = new Map<string, string>();
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client },
      { StackName: stackName },
    )) {
      for (const { LogicalResourceId = '', PhysicalResourceId = '', ResourceStatus = '' } of StackResourceSummaries) {
        // A stack whose creation failed also lists what it deleted, or left.
        if (!ResourceStatus.startsWith('DELETE_')) resources.set(LogicalResourceId, PhysicalResourceId);
      }
    }
  } catch (error) {
    if (!isMissingStack(error)) throw error;
  }
  return resources;
}

/** The names of the stage's tables in a Region: CloudFormation names them after the stack. */
export async function readTablesOf(stackName: string, region: string | undefined): Promise<string[]> {
  const client = new DynamoDBClient(region === undefined ? {} : { region });
  try {
    const names: string[] = [];
    for await (const { TableNames = [] } of paginateListTables({ client }, {})) names.push(...TableNames);
    return names.filter((name) => name.startsWith(`${stackName}-`));
  } catch (error) {
    throw new Error(
      `Cannot tell whether an earlier stack left a table. Allow dynamodb:ListTables to deploy a new stack of this stage: ${(error as Error).message}`,
    );
  } finally {
    client.destroy();
  }
}
