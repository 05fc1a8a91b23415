import type { Template } from './synthesized-stack.ts';

/** A template deployed into an account. */
export interface NamedDeployment {
  readonly region: string;
  readonly stackName: string;
  readonly template: Template;
}

export interface ExplicitName {
  readonly type: string;
  readonly name: string;
  /** The scope in which no other resource of the type may have the name. */
  readonly scope: string;
}

/** Unique across all accounts, in an account, in a Region of it, or within its parent resource. */
type Scope = 'world' | 'account' | 'region' | 'parent';

/**
 * The names that a template chooses, by the path of the property and their scope. CloudFormation chooses all others, and makes
 * them unique. Sources: the types' pages in the CloudFormation template reference; for CloudFront's policies
 * aws/aws-cdk#13737, for its functions #21507.
 */
const scopes: Readonly<Record<string, Scope>> = {
  'AWS::ApiGatewayV2::Api Name': 'region',
  'AWS::ApiGatewayV2::Authorizer Name': 'parent',
  'AWS::ApiGatewayV2::DomainName DomainName': 'region',
  'AWS::ApiGatewayV2::Stage StageName': 'parent',
  'AWS::Backup::BackupVault BackupVaultName': 'region',
  'AWS::CloudFront::Function Name': 'account',
  'AWS::CloudFront::OriginAccessControl OriginAccessControlConfig.Name': 'account',
  'AWS::CloudFront::ResponseHeadersPolicy ResponseHeadersPolicyConfig.Name': 'account',
  'AWS::CloudWatch::Alarm AlarmName': 'region',
  'AWS::CloudWatch::Dashboard DashboardName': 'account',
  'AWS::Cognito::UserPoolDomain Domain': 'world',
  'AWS::Cognito::UserPoolGroup GroupName': 'parent',
  'AWS::Cognito::UserPoolResourceServer Identifier': 'parent',
  'AWS::Cognito::UserPoolResourceServer Name': 'parent',
  'AWS::Events::EventBus Name': 'region',
  'AWS::IAM::Policy PolicyName': 'parent',
  'AWS::Lambda::Alias Name': 'parent',
  'AWS::SSM::Parameter Name': 'region',
};

/** Properties that look like names but are not: they refer to something else or are display names. */
const noNames = [
  'AWS::CloudWatch::Alarm MetricName',
  'AWS::CodeDeploy::DeploymentGroup DeploymentConfigName',
  'AWS::Lambda::EventSourceMapping FunctionName',
  'AWS::SNS::Topic DisplayName',
];

/** Returns the names that must be unique, as a deployment resolves them. */
export function namesOf(deployment: NamedDeployment): ExplicitName[] {
  return propertiesOf(deployment).flatMap(({ type, path, value }) => {
    const scope = scopes[`${type} ${path}`];
    const name = resolve(value, deployment);
    if (scope === undefined || scope === 'parent' || name === undefined) return [];
    return [{ type, name, scope: scope === 'region' ? deployment.region : scope }];
  });
}

/** Returns the properties that look like names and are in neither list. */
export function unknownNamesOf(deployment: NamedDeployment): string[] {
  return propertiesOf(deployment)
    .filter(({ path, value }) => looksLikeName(path) && resolve(value, deployment) !== undefined)
    .map(({ type, path }) => `${type} ${path}`)
    .filter((key) => scopes[key] === undefined && !noNames.includes(key));
}

interface Property {
  readonly type: string;
  readonly path: string;
  readonly value: unknown;
}

/** Returns the properties of all resources, including those of a resource's only object, such as `…Config`. */
function propertiesOf({ template }: NamedDeployment): Property[] {
  return Object.values(template.Resources).flatMap(({ Type: type, Properties = {} }) =>
    Object.entries(Properties).flatMap(([path, value]) => [
      { type, path, value },
      ...(path.endsWith('Config') ? Object.entries(Object(value)) : []).map(([name, inner]) => ({
        type,
        path: `${path}.${name}`,
        value: inner,
      })),
    ]),
  );
}

function looksLikeName(path: string): boolean {
  return /(?:Name|Identifier|Alias|Domain)$/.test(path) && !path.endsWith('KmsKeyIdentifier');
}

/** Returns the text of a value; undefined if another resource determines it. */
function resolve(value: unknown, deployment: NamedDeployment): string | undefined {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::Join': join, 'Fn::Select': select } = Object(value);
  if (Ref !== undefined) return pseudoParameter(Ref, deployment);
  if (select !== undefined) return resolve(select[1]?.['Fn::Split']?.[1], deployment);
  if (join === undefined) return undefined;
  const parts = (join[1] as unknown[]).map((part) => resolve(part, deployment));
  return parts.includes(undefined) ? undefined : parts.join(join[0]);
}

function pseudoParameter(name: string, { region, stackName }: NamedDeployment): string | undefined {
  const values: Readonly<Record<string, string>> = {
    'AWS::Region': region,
    'AWS::StackName': stackName,
    'AWS::AccountId': '123456789012',
    // Contains a UUID on AWS.
    'AWS::StackId': `stack/${stackName}/of-${region}`,
  };
  return values[name];
}
