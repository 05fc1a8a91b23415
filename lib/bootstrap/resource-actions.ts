/** The actions of one service, without its prefix. */
type Actions = Readonly<Record<string, readonly string[]>>;

const tags = ['ListTagsForResource', 'TagResource', 'UntagResource'];
const managed = (name: string, ...verbs: readonly string[]) => verbs.map((verb) => `${verb}${name}`);
const lifecycle = ['Create', 'Delete', 'Describe', 'Update'];
const passRole = ['GetRole', 'PassRole'];
const linkedRole = ['CreateServiceLinkedRole'];
const apiGateway: Actions = { apigateway: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] };

/**
 * The actions that CloudFormation needs for each kind of resource in the stacks: to create, read, change and delete it, but not
 * to use it, so none reads or writes data. They come from the `handlers` of the kind in AWS's resource type registry
 * (`aws cloudformation describe-type`), read on 2026-11-24, without those of properties that no stack sets; for kinds without
 * handlers, from the API operations of their service.
 * https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html
 */
export const resourceActions: Readonly<Record<string, Actions>> = {
  'AWS::ApiGatewayV2::Api': apiGateway,
  'AWS::ApiGatewayV2::ApiMapping': apiGateway,
  'AWS::ApiGatewayV2::Authorizer': apiGateway,
  'AWS::ApiGatewayV2::DomainName': { ...apiGateway, iam: linkedRole },
  'AWS::ApiGatewayV2::Integration': apiGateway,
  'AWS::ApiGatewayV2::Route': apiGateway,
  'AWS::ApiGatewayV2::Stage': {
    ...apiGateway,
    logs: [
      ...managed('LogDelivery', 'Create', 'Delete', 'Get', 'Update'),
      'DescribeLogGroups',
      'DescribeResourcePolicies',
      'ListLogDeliveries',
      'PutResourcePolicy',
    ],
  },
  'AWS::Backup::BackupPlan': {
    backup: [...managed('BackupPlan', 'Create', 'Delete', 'Get', 'Update'), 'ListTags', 'TagResource', 'UntagResource'],
  },
  'AWS::Backup::BackupSelection': {
    backup: managed('BackupSelection', 'Create', 'Delete', 'Get'),
    iam: [...passRole, ...linkedRole],
  },
  'AWS::Backup::BackupVault': {
    backup: [
      ...managed('BackupVault', 'Create', 'Delete', 'Describe'),
      ...managed('BackupVaultAccessPolicy', 'Delete', 'Get', 'Put'),
      'GetBackupVaultNotifications',
      'ListTags',
      'TagResource',
      'UntagResource',
    ],
    'backup-storage': ['MountCapsule'],
    kms: ['CreateGrant', 'Decrypt', 'DescribeKey', 'GenerateDataKey', 'RetireGrant'],
  },
  'AWS::Budgets::Budget': { budgets: ['ModifyBudget', 'ViewBudget', ...tags] },
  'AWS::CloudFront::Distribution': {
    cloudfront: [...managed('Distribution', 'Create', 'Delete', 'Get', 'Update'), 'GetDistributionConfig', ...tags],
  },
  'AWS::CloudFront::Function': {
    cloudfront: [...managed('Function', ...lifecycle, 'Get', 'Publish'), ...tags],
  },
  'AWS::CloudFront::OriginAccessControl': {
    cloudfront: managed('OriginAccessControl', 'Create', 'Delete', 'Get', 'Update'),
  },
  'AWS::CloudFront::ResponseHeadersPolicy': {
    cloudfront: managed('ResponseHeadersPolicy', 'Create', 'Delete', 'Get', 'Update'),
  },
  'AWS::CloudWatch::Alarm': { cloudwatch: ['DeleteAlarms', 'DescribeAlarms', 'PutMetricAlarm', ...tags] },
  'AWS::CloudWatch::Dashboard': { cloudwatch: ['DeleteDashboards', 'GetDashboard', 'PutDashboard'] },
  'AWS::CodeDeploy::Application': {
    codedeploy: [...managed('Application', 'Create', 'Delete', 'Get', 'Update'), ...tags],
  },
  'AWS::CodeDeploy::DeploymentGroup': {
    codedeploy: [...managed('DeploymentGroup', 'Create', 'Delete', 'Get', 'Update'), 'GetDeploymentConfig', ...tags],
    iam: passRole,
  },
  'AWS::Cognito::ManagedLoginBranding': {
    'cognito-idp': [...managed('ManagedLoginBranding', ...lifecycle), 'DescribeManagedLoginBrandingByClient'],
  },
  'AWS::Cognito::UserPool': {
    'cognito-idp': [...managed('UserPool', ...lifecycle), 'GetUserPoolMfaConfig', 'SetUserPoolMfaConfig', ...tags],
  },
  'AWS::Cognito::UserPoolClient': { 'cognito-idp': managed('UserPoolClient', ...lifecycle) },
  'AWS::Cognito::UserPoolDomain': { 'cognito-idp': managed('UserPoolDomain', ...lifecycle) },
  'AWS::Cognito::UserPoolGroup': { 'cognito-idp': managed('Group', 'Create', 'Delete', 'Get', 'Update') },
  'AWS::Cognito::UserPoolIdentityProvider': {
    'cognito-idp': managed('IdentityProvider', ...lifecycle),
    // Its client secret, to which the template refers.
    secretsmanager: ['GetSecretValue'],
  },
  'AWS::Cognito::UserPoolResourceServer': { 'cognito-idp': managed('ResourceServer', ...lifecycle) },
  'AWS::DynamoDB::GlobalTable': {
    'application-autoscaling': ['DescribeScalableTargets', 'DescribeScalingPolicies'],
    dynamodb: [
      ...managed('Table', ...lifecycle),
      ...['ContinuousBackups', 'ContributorInsights', 'TimeToLive'].flatMap((name) =>
        managed(name, 'Describe', 'Update'),
      ),
      'DescribeKinesisStreamingDestination',
      'DescribeTableReplicaAutoScaling',
      'GetResourcePolicy',
      'ListTagsOfResource',
      'TagResource',
      'UntagResource',
    ],
  },
  'AWS::Events::Archive': { events: managed('Archive', ...lifecycle) },
  'AWS::Events::EventBus': { events: [...managed('EventBus', ...lifecycle), ...tags] },
  'AWS::Events::Rule': {
    events: [
      ...managed('Rule', 'Delete', 'Describe', 'Disable', 'Enable', 'Put'),
      'ListTargetsByRule',
      'PutTargets',
      'RemoveTargets',
      ...tags,
    ],
    iam: passRole,
  },
  'AWS::IAM::ManagedPolicy': {
    iam: [
      ...managed('Policy', 'Create', 'Delete', 'Get', 'Tag', 'Untag'),
      ...managed('PolicyVersion', 'Create', 'Delete', 'Get'),
      'ListEntitiesForPolicy',
      'ListPolicyTags',
      'ListPolicyVersions',
    ],
  },
  'AWS::IAM::Policy': { iam: managed('RolePolicy', 'Delete', 'Get', 'Put') },
  'AWS::IAM::Role': {
    iam: [
      ...managed('Role', 'Create', 'Delete', 'Get', 'Tag', 'Untag', 'Update'),
      ...managed('RolePolicy', 'Attach', 'Delete', 'Detach', 'Get', 'Put'),
      'ListAttachedRolePolicies',
      'ListRolePolicies',
      'ListRoleTags',
      'PutRolePermissionsBoundary',
      'UpdateAssumeRolePolicy',
      'UpdateRoleDescription',
    ],
  },
  'AWS::KMS::Key': {
    iam: linkedRole,
    kms: [
      ...managed('Key', 'Create', 'Describe', 'Disable', 'Enable'),
      'DisableKeyRotation',
      'EnableKeyRotation',
      'GetKeyPolicy',
      'GetKeyRotationStatus',
      'ListResourceTags',
      'PutKeyPolicy',
      'ScheduleKeyDeletion',
      'TagResource',
      'UntagResource',
      'UpdateKeyDescription',
    ],
  },
  'AWS::KMS::ReplicaKey': {
    iam: linkedRole,
    kms: [
      ...managed('Key', 'Create', 'Describe', 'Disable', 'Enable', 'Replicate'),
      'GetKeyPolicy',
      'ListResourceTags',
      'PutKeyPolicy',
      'ScheduleKeyDeletion',
      'TagResource',
      'UntagResource',
      'UpdateKeyDescription',
    ],
  },
  'AWS::Lambda::Alias': {
    codedeploy: [...managed('Deployment', 'Create', 'Get', 'Stop'), 'GetDeploymentConfig', 'GetDeploymentGroup'],
    lambda: [
      ...managed('Alias', 'Create', 'Delete', 'Get', 'Update'),
      ...managed('ProvisionedConcurrencyConfig', 'Delete', 'Get', 'Put'),
    ],
  },
  'AWS::Lambda::EventInvokeConfig': { lambda: managed('FunctionEventInvokeConfig', 'Delete', 'Get', 'Put', 'Update') },
  'AWS::Lambda::EventSourceMapping': {
    lambda: [
      ...managed('EventSourceMapping', 'Create', 'Delete', 'Get', 'Update'),
      'ListTags',
      'TagResource',
      'UntagResource',
    ],
  },
  'AWS::Lambda::Function': {
    iam: passRole,
    lambda: [
      ...managed('Function', 'Create', 'Delete', 'Get'),
      ...managed('FunctionConcurrency', 'Delete', 'Get', 'Put'),
      ...managed('FunctionRecursionConfig', 'Get', 'Put'),
      ...managed('RuntimeManagementConfig', 'Get', 'Put'),
      'GetFunctionCodeSigningConfig',
      'GetFunctionConfiguration',
      'GetLayerVersion',
      'ListTags',
      'TagResource',
      'UntagResource',
      'UpdateFunctionCode',
      'UpdateFunctionConfiguration',
    ],
    s3: ['GetObject', 'GetObjectVersion'],
  },
  'AWS::Lambda::LayerVersion': {
    lambda: managed('LayerVersion', 'Delete', 'Get', 'Publish'),
    s3: ['GetObject', 'GetObjectVersion'],
  },
  'AWS::Lambda::Permission': { lambda: ['AddPermission', 'GetPolicy', 'RemovePermission'] },
  'AWS::Lambda::Url': { lambda: managed('FunctionUrlConfig', 'Create', 'Delete', 'Get', 'Update') },
  'AWS::Lambda::Version': {
    lambda: [
      'DeleteFunction',
      'GetFunctionConfiguration',
      'ListVersionsByFunction',
      'PublishVersion',
      ...managed('ProvisionedConcurrencyConfig', 'Get', 'Put'),
      ...managed('RuntimeManagementConfig', 'Get', 'Put'),
    ],
  },
  'AWS::Logs::LogGroup': {
    logs: [
      ...managed('LogGroup', 'Create', 'Delete'),
      ...managed('RetentionPolicy', 'Delete', 'Put'),
      'DescribeIndexPolicies',
      'DescribeLogGroups',
      'DescribeResourcePolicies',
      'GetDataProtectionPolicy',
      ...tags,
    ],
  },
  'AWS::Logs::QueryDefinition': { logs: ['DeleteQueryDefinition', 'DescribeQueryDefinitions', 'PutQueryDefinition'] },
  'AWS::S3::Bucket': {
    s3: [
      ...managed('Bucket', 'Create', 'Delete', 'List'),
      'GetBucket*',
      'Get*Configuration',
      'PutBucket*',
      'Put*Configuration',
    ],
  },
  'AWS::S3::BucketPolicy': { s3: managed('BucketPolicy', 'Delete', 'Get', 'Put') },
  'AWS::SNS::Subscription': {
    sns: [...managed('SubscriptionAttributes', 'Get', 'Set'), 'ListSubscriptionsByTopic', 'Subscribe', 'Unsubscribe'],
  },
  'AWS::SNS::Topic': {
    sns: [
      ...managed('Topic', 'Create', 'Delete'),
      ...managed('TopicAttributes', 'Get', 'Set'),
      'GetDataProtectionPolicy',
      'ListSubscriptionsByTopic',
      ...tags,
    ],
  },
  'AWS::SNS::TopicPolicy': { sns: managed('TopicAttributes', 'Get', 'Set') },
  'AWS::SQS::Queue': {
    sqs: [
      ...managed('Queue', 'Create', 'Delete', 'Tag', 'Untag'),
      ...managed('QueueAttributes', 'Get', 'Set'),
      'GetQueueUrl',
      'ListQueueTags',
    ],
  },
  'AWS::SQS::QueuePolicy': { sqs: managed('QueueAttributes', 'Get', 'Set') },
  'AWS::SSM::Parameter': {
    ssm: [
      'AddTagsToResource',
      'DeleteParameter',
      'GetParameters',
      'ListTagsForResource',
      'PutParameter',
      'RemoveTagsFromResource',
    ],
  },
  // CloudFormation invokes the function of the CDK with which it copies the dashboard.
  'Custom::CDKBucketDeployment': { lambda: ['InvokeFunction'] },
  'Custom::DataGuard': { lambda: ['InvokeFunction'] },
};
