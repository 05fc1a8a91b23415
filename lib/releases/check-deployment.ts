import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { type Loss, lossesOf, parseDataSettings } from './data-settings.ts';

const manifestSchema = v.object({
  artifacts: v.object({
    AuthService: v.object({
      /** `aws://<account>/<Region>`, where either may be unknown. */
      environment: v.string(),
      properties: v.object({ stackName: v.string(), templateFile: v.string() }),
    }),
  }),
});
const templateSchema = v.object({ Outputs: v.object({ DataSettings: v.object({ Value: v.string() }) }) });

/**
 * What the deployment of a synthesized stack would take away from the deployed one, by what both record in their outputs.
 * Nothing if none is deployed, or one from before this was recorded.
 */
export async function findLosses(assembly: string): Promise<Loss[]> {
  const { environment, properties } = v.parse(manifestSchema, readJson(assembly, 'manifest.json')).artifacts
    .AuthService;
  const deployed = await readDeployed(properties.stackName, regionOf(environment));
  if (deployed === undefined) return [];
  const { Outputs } = v.parse(templateSchema, readJson(assembly, properties.templateFile));
  return lossesOf(parseDataSettings(deployed), parseDataSettings(Outputs.DataSettings.Value));
}

async function readDeployed(stackName: string, region: string | undefined): Promise<string | undefined> {
  const client = new CloudFormationClient(region === undefined ? {} : { region });
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    return Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'DataSettings')?.OutputValue;
  } catch (error) {
    // CloudFormation has no code of its own for a stack that does not exist.
    const isMissing = error instanceof CloudFormationServiceException && error.message.includes('does not exist');
    if (isMissing && error.name === 'ValidationError') return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** The CDK takes the Region of an environment without one from the same places. */
function regionOf(environment: string): string | undefined {
  const region = environment.split('/').at(-1);
  if (region !== undefined && region !== 'unknown-region') return region;
  return process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
}

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
