import type { Stage } from '../settings/stages.ts';
import { headsBucketPrefix } from '../settings/storage-settings.ts';
import { allow, arnOf, type PolicyStatement } from './policy-document.ts';

/**
 * The name of the policy that is the permissions boundary of every role of the service's stacks. A boundary grants nothing: a
 * role may do what both it and its own policies allow. `npm run bootstrap` creates it, and only whoever runs that can change it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
export const boundaryName = `cdk-\${Qualifier}-boundary-\${AWS::AccountId}-\${AWS::Region}`;

/** The ARN of the boundary. */
export const boundaryArn = `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:policy/${boundaryName}`;

/** The names by which the boundary recognizes the resources of a stage. */
export interface StageNames {
  /** What the names begin with that CloudFormation chooses for a stack's resources. */
  readonly prefix: string;
  readonly eventBus: string;
}

/** The names of the resources of a stage. */
export function namesOfStage({ stackName, serviceName }: Stage): StageNames {
  return { prefix: `${stackName}-`, eventBus: serviceName };
}

/**
 * What the roles of a stage can do at most. KMS keys have no names, and the names of some other resources are not documented:
 * there, any of the account is included.
 */
export function boundaryStatements(names: StageNames): PolicyStatement[] {
  return [
    ...functionStatements(names),
    ...deploymentStatements(names),
    backupStatement(names),
    headsStatement(names),
    repairStatement(names),
    eventsStatement(names),
    loginStatement(names),
    ...guardStatements(names),
  ];
}

function functionStatements({ prefix, eventBus }: StageNames): PolicyStatement[] {
  return [
    allow('Logs', ['logs:CreateLogStream', 'logs:PutLogEvents'], [arnOf('logs', `log-group:${prefix}*`)]),
    allow('Traces', ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], ['*']),
    allow(
      'Items',
      [
        'BatchGetItem',
        'Query',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
        'DescribeStream',
        'GetRecords',
        'GetShardIterator',
      ].map((action) => `dynamodb:${action}`),
      [arnOf('dynamodb', `table/${prefix}*`)],
    ),
    // Has no resource (Service Authorization Reference).
    allow('Streams', ['dynamodb:ListStreams'], ['*']),
    allow('RootKeys', ['kms:GenerateMac'], [arnOf('kms', 'key/*')]),
    allow('EventKeys', ['kms:GetPublicKey'], [arnOf('kms', 'key/*')]),
    allow('Events', ['events:PutEvents'], [arnOf('events', `event-bus/${eventBus}`)]),
    allow('DeadLetters', ['sqs:SendMessage'], [arnOf('sqs', `${prefix}*`)]),
  ];
}

function deploymentStatements({ prefix }: StageNames): PolicyStatement[] {
  const buckets = [`cdk-\${Qualifier}-assets-\${AWS::AccountId}-\${AWS::Region}`, `${prefix.toLowerCase()}*`];
  return [
    allow(
      'Functions',
      ['GetAlias', 'GetProvisionedConcurrencyConfig', 'InvokeFunction', 'UpdateAlias'].map((name) => `lambda:${name}`),
      [arnOf('lambda', `function:${prefix}*`)],
    ),
    allow('Releases', ['codedeploy:PutLifecycleEventHookExecutionStatus'], [arnOf('codedeploy', 'deploymentgroup:*')]),
    allow('Versions', ['ssm:GetParameter'], [arnOf('ssm', `parameter/${prefix}*`)]),
    allow('Alarms', ['cloudwatch:DescribeAlarms'], ['*']),
    allow(
      'Dashboard',
      ['s3:Abort*', 's3:DeleteObject*', 's3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:PutObject*'],
      buckets.flatMap((name) => [`arn:\${AWS::Partition}:s3:::${name}`, `arn:\${AWS::Partition}:s3:::${name}/*`]),
    ),
  ];
}

/**
 * What backups of a table need of AWS Backup's managed policy, which is far wider, for its role alone.
 * https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSBackupServiceRolePolicyForBackup.html
 */
function backupStatement({ prefix }: StageNames): PolicyStatement {
  return onlyFor(
    `${prefix}BackupRole*`,
    allow(
      'Backups',
      [
        ...[
          'CreateBackup',
          'DeleteBackup',
          'DescribeBackup',
          'DescribeTable',
          'ListTagsOfResource',
          'StartAwsBackupJob',
        ].map((action) => `dynamodb:${action}`),
        ...['CopyFromBackupVault', 'CopyIntoBackupVault', 'DescribeBackupVault', 'ListTags', 'TagResource'].map(
          (action) => `backup:${action}`,
        ),
        ...['CreateGrant', 'Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey*', 'ReEncrypt*'].map(
          (action) => `kms:${action}`,
        ),
        'tag:GetResources',
      ],
      ['*'],
    ),
  );
}

/** What signing the heads of all chains needs, for the role of its function alone. */
function headsStatement({ prefix }: StageNames): PolicyStatement {
  const objects = `arn:\${AWS::Partition}:s3:::${headsBucketPrefix}*/*`;
  return onlyFor(
    `${prefix}HeadSigningSignRole*`,
    allow(
      'SignedHeads',
      ['dynamodb:Scan', 'kms:Sign', 's3:PutObject'],
      [arnOf('dynamodb', `table/${prefix}*`), arnOf('kms', 'key/*'), objects],
    ),
  );
}

/** What a repair needs to find what no list has, for the role of the Management API's function alone. */
function repairStatement({ prefix }: StageNames): PolicyStatement {
  return onlyFor(
    `${prefix}ManageApiManageRole*`,
    allow('Repair', ['dynamodb:Scan'], [arnOf('dynamodb', `table/${prefix}*`)]),
  );
}

/** What signing security events needs, for the role of the function that delivers them alone. */
function eventsStatement({ prefix }: StageNames): PolicyStatement {
  return onlyFor(`${prefix}WebhooksDeliverRole*`, allow('SecurityEvents', ['kms:Sign'], [arnOf('kms', 'key/*')]));
}

/** What accounts and clients of people who log in need, in the user pools of the stage. */
function loginStatement({ eventBus: service }: StageNames): PolicyStatement {
  const actions = ['Admin*User*', '*UserPoolClient*', '*ManagedLoginBranding*'];
  const statement = allow(
    'Login',
    actions.map((name) => `cognito-idp:${name}`),
    ['*'],
  );
  return { ...statement, Condition: { StringEquals: { 'aws:ResourceTag/service': service } } };
}

/** What telling what a deployment would lose needs, for the role of the function that guards the data alone. */
function guardStatements({ prefix }: StageNames): PolicyStatement[] {
  const stack = arnOf('cloudformation', `stack/${prefix.slice(0, -1)}/*`);
  const read = ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'];
  return [allow('Deployment', read, [stack]), allow('Tables', ['dynamodb:ListTables'], ['*'])].map((statement) =>
    onlyFor(`${prefix}DataGuardCheckRole*`, statement),
  );
}

function onlyFor(roles: string, statement: PolicyStatement): PolicyStatement {
  const role = `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/${roles}`;
  return { ...statement, Condition: { ArnLike: { 'aws:PrincipalArn': role } } };
}
