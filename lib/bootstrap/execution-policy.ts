import { limitedDeletions } from './limited-deletions.ts';
import { boundaryArn, type StageNames } from './permissions-boundary.ts';
import { allow, arnOf, type PolicyStatement } from './policy-document.ts';
import { resourceActions } from './resource-actions.ts';

/** What a stage's stacks need beyond the kinds of their resources. */
export interface ExecutionScope {
  readonly names: StageNames;
  /** Whether the table has replicas: DynamoDB copies it with the permissions of whoever adds one. */
  readonly hasReplicas: boolean;
}

/**
 * What CloudFormation may do when it deploys the stacks of a stage: the actions of their kinds of resources; where
 * CloudFormation chooses the name of a resource, only with the name of the stage. It deletes only what has the stage's name or,
 * where AWS names by an id, its tag. Roles only with the permissions boundary, which
 * it cannot change.
 */
export function executionStatements(scope: ExecutionScope): PolicyStatement[] {
  return [...kindStatements(scope.names), ...iamStatements(scope.names), ...extraStatements(scope)];
}

const ofAccount = (path: string) => `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:${path}`;

/** The resources of the services whose resources have the name of the stage; in the others, any of the account. */
function resourcesOf(service: string, { prefix, eventBus }: StageNames): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    apigateway: ['/apis', '/apis/*', '/domainnames', '/domainnames/*', '/tags/*'].map(
      (path) => `arn:\${AWS::Partition}:apigateway:\${AWS::Region}::${path}`,
    ),
    // Also in the Regions of its replicas.
    dynamodb: [arnOf('dynamodb', `table/${prefix}*`, '*')],
    lambda: [
      arnOf('lambda', `function:${prefix}*`),
      arnOf('lambda', 'layer:*'),
      arnOf('lambda', 'event-source-mapping:*'),
    ],
    s3: [
      `arn:\${AWS::Partition}:s3:::${prefix.toLowerCase()}*`,
      `arn:\${AWS::Partition}:s3:::cdk-\${Qualifier}-assets-\${AWS::AccountId}-\${AWS::Region}/*`,
    ],
    secretsmanager: [arnOf('secretsmanager', `secret:${eventBus}-login-*`)],
    sns: [arnOf('sns', `${prefix}*`)],
    sqs: [arnOf('sqs', `${prefix}*`)],
    ssm: [arnOf('ssm', `parameter/${prefix}*`)],
  };
  return known[service] ?? ['*'];
}

/** Actions without a resource, and one with a resource of its own. */
const exceptions: Readonly<Record<string, (names: StageNames) => readonly string[]>> = {
  'lambda:CreateEventSourceMapping': () => ['*'],
  'lambda:InvokeFunction': ({ prefix }) =>
    ['DashboardSite', 'DataGuard'].map((name) => arnOf('lambda', `function:${prefix}${name}*`)),
};

function kindStatements(names: StageNames): PolicyStatement[] {
  const actions = [...actionsByService()].filter(([service]) => service !== 'iam');
  const deletions = limitedDeletions(names);
  const limited = deletions.flatMap(({ Action }) => Action);
  return [
    ...actions.flatMap(([service, all]) => [
      allow(
        idOf(service),
        all.filter((action) => !(action in exceptions) && !limited.includes(action)),
        resourcesOf(service, names),
      ),
      ...all.flatMap((action) => {
        const resources = exceptions[action]?.(names);
        return resources === undefined ? [] : [allow(idOf(action), [action], resources)];
      }),
    ]),
    ...deletions,
  ];
}

function actionsByService(): Map<string, string[]> {
  const services = new Map<string, Set<string>>();
  for (const actions of Object.values(resourceActions)) {
    for (const [service, names] of Object.entries(actions)) {
      const known = services.get(service) ?? new Set();
      services.set(service, known);
      for (const name of names) known.add(`${service}:${name}`);
    }
  }
  return new Map([...services].sort().map(([service, actions]) => [service, [...actions].sort()]));
}

/** The services that the roles of the stacks are for, and those that create a role of their own in the account. */
const passedTo = ['apigateway', 'backup', 'codedeploy', 'events', 'lambda'].map((name) => `${name}.amazonaws.com`);
const linkedServices = ['apidestinations.events', 'backup', 'mrk.kms', 'ops.apigateway', 'replication.dynamodb'].map(
  (name) => `${name}.amazonaws.com`,
);
/** The only policy of AWS that a role of the stacks has; the others are policies of the stacks. */
const attachedPolicy = `arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup`;

/** Actions on a role that are allowed only while it has the permissions boundary, or gets it. */
const boundActions = [
  'CreateRole',
  'DeleteRole',
  'DeleteRolePolicy',
  'PutRolePermissionsBoundary',
  'PutRolePolicy',
  'UpdateAssumeRolePolicy',
  'UpdateRole',
  'UpdateRoleDescription',
].map((name) => `iam:${name}`);
const attachActions = ['iam:AttachRolePolicy', 'iam:DetachRolePolicy'];

function iamStatements({ prefix }: StageNames): PolicyStatement[] {
  const roles = [ofAccount(`role/${prefix}*`)];
  const bound = { 'iam:PermissionsBoundary': boundaryArn };
  const conditional = [...boundActions, ...attachActions, 'iam:PassRole', 'iam:CreateServiceLinkedRole'];
  const others = (actionsByService().get('iam') ?? []).filter((action) => !conditional.includes(action));
  return [
    { ...allow('BoundRoles', boundActions, roles), Condition: { StringEquals: bound } },
    {
      ...allow('AttachedPolicies', attachActions, roles),
      Condition: {
        StringEquals: bound,
        ArnLike: { 'iam:PolicyARN': [attachedPolicy, ofAccount(`policy/${prefix}*`)] },
      },
    },
    { ...allow('PassRole', ['iam:PassRole'], roles), Condition: { StringEquals: { 'iam:PassedToService': passedTo } } },
    {
      ...allow('LinkedRoles', ['iam:CreateServiceLinkedRole'], [ofAccount('role/aws-service-role/*')]),
      Condition: { StringEquals: { 'iam:AWSServiceName': linkedServices } },
    },
    allow('RolesAndPolicies', others, [...roles, ofAccount(`policy/${prefix}*`)]),
    {
      ...allow('KeepBoundary', ['iam:*'], [ofAccount('policy/cdk-*'), ofAccount('role/cdk-*')]),
      Effect: 'Deny',
    },
    { ...allow('KeepBoundaries', ['iam:DeleteRolePermissionsBoundary'], ['*']), Effect: 'Deny' },
  ];
}

/** The permissions that DynamoDB requires to create and delete a replica (DynamoDB guide, "DynamoDB global tables security"). */
const replicaActions = [
  'CreateTableReplica',
  'DeleteTableReplica',
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
].map((name) => `dynamodb:${name}`);

function extraStatements({ names, hasReplicas }: ExecutionScope): PolicyStatement[] {
  const version = arnOf('ssm', `parameter/cdk-bootstrap/\${Qualifier}/version`);
  return [
    // The templates have it as a parameter.
    allow('BootstrapVersion', ['ssm:GetParameters'], [version]),
    ...(hasReplicas ? [allow('Replicas', replicaActions, resourcesOf('dynamodb', names))] : []),
  ];
}

/** A Sid has only letters and digits. */
function idOf(name: string): string {
  return name.replaceAll(/\W+/g, '');
}
