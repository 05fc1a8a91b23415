import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { PlannedStack } from './assembly.ts';
import type { Loss } from './data-settings.ts';

/**
 * The log groups that a deployment would delete with their events although their functions stay: those that are not protected
 * against deletion, which CloudFormation leaves.
 */
export async function lossesOfLogs(client: CloudFormationClient, planned: PlannedStack): Promise<Loss[]> {
  const removed = await removedGroups(client, planned);
  if (removed.length === 0) return [];
  const logs = new CloudWatchLogsClient(planned.region === undefined ? {} : { region: planned.region });
  try {
    const unprotected: string[] = [];
    for (const name of removed) if (!(await isProtected(logs, name))) unprotected.push(name);
    return unprotected.length === 0 ? [] : [lossOf(unprotected, planned.stage)];
  } finally {
    logs.destroy();
  }
}

function lossOf(names: readonly string[], stage: string): Loss {
  return {
    setting: 'logs',
    text: `The deployment would delete ${names.length} log groups with their events, such as ${names[0]}. npm run -s keep-logs -- ${stage} keeps them`,
  };
}

async function removedGroups(
  client: CloudFormationClient,
  { stackName, resources }: PlannedStack,
): Promise<readonly string[]> {
  const ids = Object.keys(resources);
  const removed: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName: stackName },
  )) {
    for (const { ResourceType, LogicalResourceId: id = '', PhysicalResourceId: name = '' } of StackResourceSummaries) {
      if (ResourceType !== 'AWS::Logs::LogGroup' || id in resources) continue;
      // The CDK's logical ids: of `ServiceApiGetAccessLogB2605F30`, the function begins with `ServiceApiGetAccessFunction`.
      const fn = `${id.replace(/Log[0-9A-F]{8}$/, '')}Function`;
      if (ids.some((planned) => planned.startsWith(fn))) removed.push(name);
    }
  }
  return removed;
}

/** Fails closed: a group whose protection cannot be read counts as one without. */
async function isProtected(logs: CloudWatchLogsClient, name: string): Promise<boolean> {
  try {
    const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name }));
    return logGroups.some((group) => group.logGroupName === name && group.deletionProtectionEnabled === true);
  } catch {
    return false;
  }
}
