import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import type { Transition } from '../settings/storage-settings.ts';
import { readConcurrencyQuota } from './account-quota.ts';
import {
  adoptsAny,
  createsRetainedKeys,
  type Imports,
  importsOf,
  newRootKeys,
  retainedTableOf,
} from './adopted-resources.ts';
import { type PlannedStack, readPlannedStack } from './assembly.ts';
import { readCallerAccount } from './caller-account.ts';
import { type Loss, lossesOf, lossesOfOutputs, newTable, parseDataSettings, transitionsOf } from './data-settings.ts';
import { readResources, readTablesOf } from './deployed-resources.ts';
import { describeStack } from './describe-stack.ts';
import { lossesOfLogs } from './removed-logs.ts';

const deployedSchema = v.object({
  StackId: v.string(),
  Outputs: v.optional(v.array(v.object({ OutputKey: v.string(), OutputValue: v.string() })), []),
});

/** What a deployment would do to the data of the stage. */
export interface Comparison {
  readonly losses: readonly Loss[];
  /** The deployments needed to switch to another table or other root keys. Empty: a single one, as planned. */
  readonly transitions: readonly Transition[];
  /** What the stack adopts and does not have yet. */
  readonly imports: Imports;
}

/**
 * Compares a synthesized stack with the deployed one, by what both record in their outputs, or, if none is deployed, with the
 * tables that an earlier one left.
 */
export async function compareWithDeployed(assembly: string): Promise<Comparison> {
  const planned = readPlannedStack(assembly);
  const client = createClient(planned);
  try {
    const deployed = await readDeployed(client, planned);
    const { imports, losses } = await checkAdoption(client, planned, deployed === undefined);
    if (deployed === undefined) return { losses, transitions: [], imports };
    const { settings, tableArn, outputNames } = deployed;
    return {
      losses: [
        ...losses,
        ...lossesOf(settings, planned.dataSettings),
        ...lossesOfOutputs(outputNames, planned.outputNames),
        ...(await lossesOfLogs(client, planned)),
      ],
      transitions: transitionsOf(settings, planned.dataSettings, tableArn),
      imports,
    };
  } finally {
    client.destroy();
  }
}

/** What is to be imported, and what would be created although it should be adopted. */
async function checkAdoption(
  client: CloudFormationClient,
  { resources, dataSettings, stackName, region }: PlannedStack,
  isNew: boolean,
): Promise<Pick<Comparison, 'imports' | 'losses'>> {
  const table = isNew ? retainedTableOf(resources) : undefined;
  const hasEarlierTable = isNew && dataSettings.table !== 'own';
  const needsEarlierKeys = adoptsAny(resources) || (hasEarlierTable && createsRetainedKeys(resources));
  if (!needsEarlierKeys && table === undefined) return { imports: {}, losses: [] };
  const present = await readResources(client, stackName);
  const left = table === undefined || present.has(table) ? [] : await readTablesOf(stackName, region);
  return {
    imports: importsOf(resources, present),
    losses: [...left.map(newTable), ...(needsEarlierKeys ? newRootKeys(resources, present) : [])],
  };
}

/**
 * Reads the quota of concurrent executions of the account to which an assembly would be deployed; undefined, with a warning,
 * if that is not possible.
 */
export async function readAccountQuota(assembly: string): Promise<number | undefined> {
  const client = createClient(readPlannedStack(assembly));
  try {
    return await readConcurrencyQuota(client);
  } catch (error) {
    console.error(
      `The account's quota of concurrent executions is unknown, so its alarm assumes AWS's default. Allow lambda:GetAccountSettings to read it: ${(error as Error).message}`,
    );
    return undefined;
  } finally {
    client.destroy();
  }
}

/**
 * Throws if the credentials belong to another account than the one that `accounts` gives the stage. Without it, no account is
 * wrong.
 */
export async function requireAccount(assembly: string): Promise<void> {
  const planned = readPlannedStack(assembly);
  const { account, stackName } = planned;
  if (account === undefined) return;
  const client = createClient(planned);
  const actual = await readCallerAccount(client).finally(() => client.destroy());
  if (actual === account) return;
  throw new Error(
    `${stackName} belongs to the account ${account} (accounts in cdk.json), but the credentials are of ${actual}: use those of ${account}, or choose another stage with -c stage=`,
  );
}

function createClient({ region }: PlannedStack): CloudFormationClient {
  return new CloudFormationClient(region === undefined ? {} : { region });
}

/** The data settings of the deployed stack, the ARN of its table and its outputs; undefined if nothing has been deployed. */
async function readDeployed(client: CloudFormationClient, { stackName }: PlannedStack) {
  const described = await describeStack(client, stackName);
  if (described === undefined) return undefined;
  const stack = v.parse(deployedSchema, described);
  const outputs = Object.fromEntries(stack.Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const { DataSettings, TableName } = outputs;
  // A stack with nothing deployed yet, or only imported resources, has no outputs.
  if (DataSettings === undefined) return undefined;
  const [, partition, , home, account] = stack.StackId.split(':');
  const tableArn = `arn:${partition}:dynamodb:${home}:${account}:table/${TableName}`;
  return { settings: parseDataSettings(DataSettings), tableArn, outputNames: Object.keys(outputs) };
}
