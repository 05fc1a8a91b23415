import type { StageNames } from './permissions-boundary.ts';
import { allow, arnOf, type PolicyStatement } from './policy-document.ts';

/** Deletions of what has a name of the stage, by the beginning of the name; in the other services every action is limited so. */
function namedDeletions({ prefix, eventBus: service }: StageNames): PolicyStatement[] {
  return [
    allow('DeleteAlarms', ['cloudwatch:DeleteAlarms'], [arnOf('cloudwatch', `alarm:${service}-*`)]),
    allow('DeleteDashboards', ['cloudwatch:DeleteDashboards'], [arnOf('cloudwatch', `dashboard/${service}-*`, '')]),
    allow(
      'DeleteEvents',
      ['DeleteArchive', 'DeleteEventBus', 'DeleteRule', 'DisableRule', 'RemoveTargets'].map((name) => `events:${name}`),
      [`archive/${prefix}*`, `event-bus/${service}`, `rule/${prefix}*`, `rule/${service}/${prefix}*`].map((name) =>
        arnOf('events', name),
      ),
    ),
    allow('DeleteLogs', ['logs:DeleteLogGroup', 'logs:DeleteRetentionPolicy'], [arnOf('logs', `log-group:${prefix}*`)]),
    allow(
      'DeleteReleases',
      ['codedeploy:DeleteApplication', 'codedeploy:DeleteDeploymentGroup'],
      [`application:${prefix}*`, `deploymentgroup:${prefix}*`].map((name) => arnOf('codedeploy', name)),
    ),
    allow(
      'DeleteVaults',
      ['backup:DeleteBackupVault', 'backup:DeleteBackupVaultAccessPolicy'],
      [arnOf('backup', `backup-vault:${service}-*`)],
    ),
    allow('DeleteViewerFunctions', ['cloudfront:DeleteFunction'], [arnOf('cloudfront', `function/${prefix}*`, '')]),
  ];
}

/**
 * Deletions of what AWS names by an id: only with the stage's tag `service`, which every resource of a stack has. KMS may take five
 * minutes until it knows the tag of a new key, so a creation that fails sooner leaves the key to be deleted by hand.
 * https://docs.aws.amazon.com/kms/latest/developerguide/tag-authorization.html
 */
function taggedDeletions({ eventBus: service }: StageNames): PolicyStatement[] {
  const actions = [
    'backup:DeleteBackupPlan',
    'backup:DeleteBackupSelection',
    'cloudfront:DeleteDistribution',
    ...loginResources.map((name) => `cognito-idp:Delete${name}`),
    'kms:DisableKey',
    'kms:ScheduleKeyDeletion',
  ];
  const Condition = { StringEquals: { 'aws:ResourceTag/service': service } };
  return [{ ...allow('DeleteTagged', actions, ['*']), Condition }];
}

const loginResources = [
  'Group',
  'IdentityProvider',
  'ManagedLoginBranding',
  'ResourceServer',
  'UserPool',
  'UserPoolClient',
  'UserPoolDomain',
];

/** What a deployment may delete of services in which its other actions are limited to no names. */
export function limitedDeletions(names: StageNames): PolicyStatement[] {
  return [...namedDeletions(names), ...taggedDeletions(names)];
}
