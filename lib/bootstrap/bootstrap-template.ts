import * as v from 'valibot';
import type { Stage } from '../settings/stages.ts';
import { type ExecutionScope, executionStatements } from './execution-policy.ts';
import { boundaryName, boundaryStatements } from './permissions-boundary.ts';
import { allow, arnOf, asTemplate, type PolicyStatement } from './policy-document.ts';

/** The longest managed policy, without white space (IAM user guide, "IAM and AWS STS quotas"). */
const longestPolicy = 6144;

const statement = v.looseObject({ Sid: v.optional(v.string()), Resource: v.unknown() });
const role = <Entries extends v.ObjectEntries>(properties: Entries) =>
  v.looseObject({ Type: v.literal('AWS::IAM::Role'), Properties: v.looseObject(properties) });
/** The parts of the CDK's own template that change. */
const templateSchema = v.looseObject({
  Outputs: v.looseObject({ ImageRepositoryName: v.unknown() }),
  Parameters: v.looseObject({ BootstrapVariant: v.looseObject({ Default: v.string() }) }),
  Resources: v.looseObject({
    LookupRole: role({ ManagedPolicyArns: v.unknown(), Policies: v.unknown() }),
    DeploymentActionRole: role({
      Policies: v.tuple([
        v.looseObject({ PolicyDocument: v.looseObject({ Statement: v.array(statement) }), PolicyName: v.string() }),
      ]),
    }),
    CloudFormationExecutionRole: role({ ManagedPolicyArns: v.unknown() }),
    ContainerAssetsRepository: v.unknown(),
    ImagePublishingRole: v.unknown(),
    ImagePublishingRoleDefaultPolicy: v.unknown(),
    CdkBoostrapPermissionsBoundaryPolicy: v.unknown(),
  }),
});
/** For container images, of which the service has none, and an example; without them the template is small enough to send. */
const unusedResources = [
  'ContainerAssetsRepository',
  'ImagePublishingRole',
  'ImagePublishingRoleDefaultPolicy',
  'CdkBoostrapPermissionsBoundaryPolicy',
];
type Template = v.InferOutput<typeof templateSchema>;

/** For whom the bootstrap is. */
export interface BootstrapScope extends ExecutionScope {
  readonly stage: Stage;
}

/** Identifies the bootstrap of a stage; the CDK refuses to replace it with another. */
export function variantOf({ name }: { readonly name: string }): string {
  return `auth-service: ${name}`;
}

/**
 * Changes the CDK's template of its bootstrap, so that it deploys one stage of this service and nothing else: the role that
 * deploys may use only the stage's stacks, CloudFormation has the execution policies and not `AdministratorAccess`, and the role
 * for lookups reads templates and not data. Throws if the CDK's template has changed where it matters here.
 * https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html
 */
export function bootstrapTemplate(original: unknown, scope: BootstrapScope): object {
  const { Outputs, Parameters, Resources, ...others } = v.parse(templateSchema, original);
  const policies = Object.entries(executionPolicies(scope));
  return {
    ...others,
    Parameters: {
      ...Parameters,
      BootstrapVariant: { ...Parameters.BootstrapVariant, Default: variantOf(scope.stage) },
    },
    Outputs: without(Outputs, ['ImageRepositoryName']),
    Resources: {
      ...without(Resources, unusedResources),
      Boundary: managedPolicy(boundaryName, boundaryStatements(scope.names)),
      ...Object.fromEntries(policies.map(([name, statements], at) => [idOf(at), managedPolicy(name, statements)])),
      LookupRole: lookupRole(Resources.LookupRole, scope.stage),
      DeploymentActionRole: deploymentRole(Resources.DeploymentActionRole, scope.stage),
      CloudFormationExecutionRole: withProperties(Resources.CloudFormationExecutionRole, {
        ManagedPolicyArns: policies.map((_, at) => ({ Ref: idOf(at) })),
      }),
    },
  };
}

const idOf = (at: number) => `ExecutionPolicy${at + 1}`;

/** The statements of CloudFormation's policies by their names; several, because none may be too long. */
export function executionPolicies(scope: ExecutionScope): Record<string, PolicyStatement[]> {
  const packed = packPolicies(executionStatements(scope));
  return Object.fromEntries(
    packed.map((statements, at) => [
      `cdk-\${Qualifier}-execution-${at + 1}-\${AWS::AccountId}-\${AWS::Region}`,
      statements,
    ]),
  );
}

/** The stacks of a stage. The vault of its backups is in another account. */
function stacksOf({ stackName }: Stage): string[] {
  return [`${stackName}/*`, `${stackName}-*/*`].map((name) => arnOf('cloudformation', `stack/${name}`));
}

/** What the CDK's role may do with stacks, and the rest of its statements as they are. */
const ofStacks = ['DeployPermissions', 'CliPermissions'];
const kept = ['CliStagingBucket', 'ReadVersion', undefined];
/** For pipelines of the CDK, whose artifacts are in another account, and for moving resources between stacks. */
const removed = ['PipelineCrossAccountArtifactsBucket', 'PipelineCrossAccountArtifactsKey', 'Refactor'];

/**
 * CloudFormation uses the role that a stack was deployed with even for a caller who may not pass that role, so another stage is
 * safe only if this role cannot use its stack.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-iam-servicerole.html
 */
function deploymentRole(original: Template['Resources']['DeploymentActionRole'], stage: Stage): object {
  const [{ PolicyDocument, PolicyName }] = original.Properties.Policies;
  const Statement = PolicyDocument.Statement.flatMap((one) => {
    if (ofStacks.includes(one.Sid ?? '')) return [{ ...one, Resource: asTemplate(stacksOf(stage)) }];
    if (kept.includes(one.Sid)) return [one];
    if (removed.includes(one.Sid ?? '')) return [];
    throw new Error(
      `The CDK's role for deployments has a new statement ${one.Sid}: decide in lib/bootstrap what it may do`,
    );
  });
  return withProperties(original, { Policies: [{ PolicyName, PolicyDocument: { ...PolicyDocument, Statement } }] });
}

/** `cdk diff` reads templates with it. The CDK's own has `ReadOnlyAccess`, which reads the table. */
function lookupRole(original: Template['Resources']['LookupRole'], stage: Stage): object {
  const { ManagedPolicyArns: _, ...Properties } = original.Properties;
  const actions = [
    'DescribeStacks',
    'DescribeStackResources',
    'GetTemplate',
    'GetTemplateSummary',
    'ListStackResources',
  ];
  const statements = [
    allow(
      'Templates',
      actions.map((name) => `cloudformation:${name}`),
      stacksOf(stage),
    ),
    allow(
      'BootstrapVersion',
      ['ssm:GetParameter', 'ssm:GetParameters'],
      [arnOf('ssm', `parameter/cdk-bootstrap/\${Qualifier}/version`)],
    ),
  ];
  const Policies = [{ PolicyName: 'LookupRolePolicy', PolicyDocument: documentOf(statements) }];
  return { ...original, Properties: { ...Properties, Policies } };
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function withProperties(original: { readonly Properties: object }, changed: object): object {
  return { ...original, Properties: { ...original.Properties, ...changed } };
}

function managedPolicy(name: string, statements: readonly PolicyStatement[]): object {
  const Properties = { ManagedPolicyName: asTemplate(name), PolicyDocument: documentOf(statements) };
  return { Type: 'AWS::IAM::ManagedPolicy', Properties };
}

function documentOf(statements: readonly PolicyStatement[]): object {
  return { Version: '2012-10-17', Statement: asTemplate(statements) };
}

/** Divides statements among policies; no placeholder is shorter than its value. */
function packPolicies(statements: readonly PolicyStatement[]): PolicyStatement[][] {
  const policies: PolicyStatement[][] = [];
  for (const one of statements) {
    const last = policies.at(-1);
    if (last !== undefined && lengthOf([...last, one]) <= longestPolicy) last.push(one);
    else policies.push([one]);
  }
  return policies;
}

/** The length of a policy of these statements. */
export function lengthOf(statements: readonly PolicyStatement[]): number {
  return JSON.stringify({ Version: '2012-10-17', Statement: statements }).length;
}
