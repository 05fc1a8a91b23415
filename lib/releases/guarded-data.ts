import type { CloudFormationClient, Stack } from '@aws-sdk/client-cloudformation';
import type { ResourceRequest } from './custom-resource.ts';
import { type Loss, lossesOf, lossesOfOutputs, newRootKey, newTable, parseDataSettings } from './data-settings.ts';
import { readResources, readTablesOf } from './deployed-resources.ts';
import { describeStack, isRollingBack } from './describe-stack.ts';

/** The data of a deployment, as the properties of the resource that guards it; CloudFormation passes all of them as text. */
export interface GuardedData {
  /** As in the output `DataSettings`. */
  readonly DataSettings: string;
  /** The outputs of the stack of which `lossesOfOutputs` knows a loss, separated by commas. */
  readonly Outputs: string;
  /** The logical id of a table that outlives the stack and is not adopted. Empty: there is none. */
  readonly Table: string;
  /** The root keys that are not adopted, such as `RootKeyK1A1B2C3D4=k1`, separated by commas. */
  readonly RootKeys: string;
  /** The settings of which the operator has confirmed the loss, separated by commas. */
  readonly Confirmed: string;
}

export type GuardRequest = ResourceRequest<GuardedData>;

/**
 * What a deployment that has begun would lose, without what was confirmed. A rollback loses nothing: it returns to what was
 * deployed before, which is `ResourceProperties` then.
 */
export async function lossesOfRequest(client: CloudFormationClient, request: GuardRequest): Promise<readonly Loss[]> {
  const { RequestType, ResourceProperties: planned, OldResourceProperties: deployed, StackId } = request;
  if (RequestType === 'Delete') return [];
  const losses = deployed === undefined ? await lossesOfNew(client, request) : lossesBetween(deployed, planned);
  const confirmed = listOf(planned.Confirmed);
  const others = losses.filter(({ setting }) => !confirmed.includes(setting));
  if (others.length === 0 || deployed === undefined) return others;
  return (await isRollingBack(client, StackId)) ? [] : others;
}

function lossesBetween(deployed: Pick<GuardedData, 'DataSettings' | 'Outputs'>, planned: GuardedData): Loss[] {
  return [
    ...lossesOf(parseDataSettings(deployed.DataSettings), parseDataSettings(planned.DataSettings)),
    ...lossesOfOutputs(listOf(deployed.Outputs), listOf(planned.Outputs)),
  ];
}

/** The stack is new, was imported, or is from before it had a guard: then it has outputs. */
async function lossesOfNew(
  client: CloudFormationClient,
  { StackId, ResourceProperties: planned }: GuardRequest,
): Promise<Loss[]> {
  const outputs = outputsOf(await describeStack(client, StackId));
  const { DataSettings } = outputs;
  if (DataSettings !== undefined) {
    return lossesBetween({ DataSettings, Outputs: Object.keys(outputs).join() }, planned);
  }
  const usesEarlierTable = parseDataSettings(planned.DataSettings).table !== 'own';
  if (planned.Table === '' && !usesEarlierTable) return [];
  const present = await readResources(client, StackId);
  const [, , , region] = StackId.split(':');
  const [, stackName = ''] = StackId.split('/');
  const left = planned.Table === '' || present.has(planned.Table) ? [] : await readTablesOf(stackName, region);
  const keys = usesEarlierTable ? listOf(planned.RootKeys).map((entry) => entry.split('=')) : [];
  return [
    ...left.map(newTable),
    ...keys.filter(([id = '']) => !present.has(id)).map(([, version = '']) => newRootKey(version)),
  ];
}

function outputsOf(stack: Stack | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
}

function listOf(text: string): string[] {
  return text.split(',').filter((entry) => entry !== '');
}
