import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import type { Transition } from '../settings/storage-settings.ts';
import { readConcurrencyQuota } from './account-quota.ts';
import { type Loss, lossesOf, parseDataSettings, transitionsOf } from './data-settings.ts';

const manifestSchema = v.object({
  artifacts: v.object({
    AuthService: v.object({
      /** `aws://<account>/<Region>`, where either may be unknown. */
      environment: v.string(),
      properties: v.object({ stackName: v.string(), templateFile: v.string() }),
    }),
  }),
});
const deployedSchema = v.tuple([
  v.object({
    StackId: v.string(),
    Outputs: v.optional(v.array(v.object({ OutputKey: v.string(), OutputValue: v.string() })), []),
  }),
]);
const templateSchema = v.object({ Outputs: v.object({ DataSettings: v.object({ Value: v.string() }) }) });

/** What a deployment would do to the data of the deployed stack. */
export interface Comparison {
  readonly losses: readonly Loss[];
  /** The deployments needed to switch to another table or other root keys. Empty: a single one, as planned. */
  readonly transitions: readonly Transition[];
}

/**
 * Compares a synthesized stack with the deployed one, by what both record in their outputs. Nothing is lost if none is
 * deployed.
 */
export async function compareWithDeployed(assembly: string): Promise<Comparison> {
  const { properties } = stackOf(assembly);
  const outputs = await readDeployed(properties.stackName, assembly);
  if (outputs === undefined) return { losses: [], transitions: [] };
  const { Outputs } = v.parse(templateSchema, readJson(assembly, properties.templateFile));
  const planned = parseDataSettings(Outputs.DataSettings.Value);
  const deployed = parseDataSettings(outputs.DataSettings);
  return { losses: lossesOf(deployed, planned), transitions: transitionsOf(deployed, planned, outputs.tableArn) };
}

/**
 * Reads the quota of concurrent executions of the account to which an assembly would be deployed; undefined, with a warning,
 * if that is not possible.
 */
export async function readAccountQuota(assembly: string): Promise<number | undefined> {
  const client = createClient(assembly);
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

function createClient(assembly: string): CloudFormationClient {
  const region = regionOf(stackOf(assembly).environment);
  return new CloudFormationClient(region === undefined ? {} : { region });
}

function stackOf(assembly: string) {
  return v.parse(manifestSchema, readJson(assembly, 'manifest.json')).artifacts.AuthService;
}

async function readDeployed(stackName: string, assembly: string) {
  const client = createClient(assembly);
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const [stack] = v.parse(deployedSchema, Stacks);
    const { DataSettings, TableName } = Object.fromEntries(
      stack.Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
    );
    // A stack with nothing deployed yet has no outputs.
    if (DataSettings === undefined) return undefined;
    const [, partition, , home, account] = stack.StackId.split(':');
    return { DataSettings, tableArn: `arn:${partition}:dynamodb:${home}:${account}:table/${TableName}` };
  } catch (error) {
    // CloudFormation has no code of its own for a stack that does not exist.
    const isMissing = error instanceof CloudFormationServiceException && error.message.includes('does not exist');
    if (isMissing && error.name === 'ValidationError') return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** Looks up the Region where the CDK does, for an environment without one. */
function regionOf(environment: string): string | undefined {
  const region = environment.split('/').at(-1);
  if (region !== undefined && region !== 'unknown-region') return region;
  return process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
}

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
