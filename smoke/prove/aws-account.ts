import { CloudFormationClient, paginateListStackResources, type Stack } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describeStack } from '../../lib/releases/describe-stack.ts';

/** A resource of the stack. */
export interface StackResource {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
}

/** The account and Region of the credentials, with the stack of one stage in it. */
export type AwsAccount = ReturnType<typeof openAccount>;

/** Opens the account of the environment's credentials, in its Region. */
export function openAccount(stackName: string) {
  const cloudFormation = new CloudFormationClient();
  const sts = new STSClient();

  /** The stack; undefined if it is not deployed. */
  async function findStack(): Promise<Stack | undefined> {
    const stack = await describeStack(cloudFormation, stackName);
    return stack?.StackStatus === 'DELETE_COMPLETE' ? undefined : stack;
  }

  /** An output of the stack. */
  async function output(name: string): Promise<string> {
    const value = (await findStack())?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value === undefined) throw new Error(`The stack ${stackName} has no output ${name}: run the step deploy first`);
    return value;
  }

  /** The resources of a type whose logical id contains a text. */
  async function resources(type: string, part = ''): Promise<readonly StackResource[]> {
    const found: StackResource[] = [];
    for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName: stackName })) {
      for (const {
        LogicalResourceId = '',
        PhysicalResourceId = '',
        ResourceType = '',
      } of page.StackResourceSummaries ?? [])
        found.push({ logicalId: LogicalResourceId, physicalId: PhysicalResourceId, type: ResourceType });
    }
    return found.filter((resource) => resource.type === type && resource.logicalId.includes(part));
  }

  /** The only resource of a type whose logical id contains a text. */
  async function resource(type: string, part: string): Promise<string> {
    const found = await resources(type, part);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only.physicalId;
    throw new Error(`${stackName} has ${found.length} resources of the type ${type} whose logical id contains ${part}`);
  }

  return {
    stackName,
    cloudFormation,
    sts,
    cloudWatch: new CloudWatchClient(),
    logs: new CloudWatchLogsClient(),
    codeDeploy: new CodeDeployClient(),
    dynamoDb: new DynamoDBClient(),
    events: new EventBridgeClient(),
    iam: new IAMClient(),
    kms: new KMSClient(),
    lambda: new LambdaClient(),
    findStack,
    output,
    resource,
    resources,
    region: () => cloudFormation.config.region(),
    async caller(): Promise<{ readonly account: string; readonly arn: string }> {
      const { Account = '', Arn = '' } = await sts.send(new GetCallerIdentityCommand());
      return { account: Account, arn: Arn };
    },
  };
}
