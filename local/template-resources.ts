import * as v from 'valibot';
import { LocalError } from './local-error.ts';
import { type References, resolveIntrinsics } from './resolve-intrinsics.ts';

const resourceSchema = v.object({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}) });
const templateSchema = v.object({ Resources: v.record(v.string(), resourceSchema) });

type Resource = v.InferOutput<typeof resourceSchema>;
type Properties = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The resources of a template, with their intrinsic functions evaluated for this machine. */
export interface TemplateResources {
  idsOf(types: readonly string[]): string[];
  /** The properties in the schema; throws a LocalError if a value does not match. */
  read<Schema extends Properties>(logicalId: string, schema: Schema): v.InferOutput<Schema>;
  /** The local ARN of a resource; throws a LocalError for an unsupported one. */
  arnOf(logicalId: string): string;
}

/** Local replacements for values that AWS would provide. */
export interface LocalNames {
  readonly tableName: string;
}

/** Issuer and client id that replace those of the stack's user pool when the development login replaces it. */
export const localUserPool = {
  issuer: 'https://cognito-idp.local.amazonaws.com/local',
  clientId: 'dashboard',
} as const;

/** Opens a parsed template; throws a LocalError if it is invalid. */
export function openTemplate(json: unknown, names: LocalNames): TemplateResources {
  const resources = new Map(Object.entries(parse(templateSchema, json, 'The template').Resources));
  const references: References = {
    ref: (id) => refOf(resources.get(id), id, names) ?? clientOf(resources, id),
    attribute: (id, name) =>
      poolAttribute(resources.get(id), id, name) ?? attributeOf(resources.get(id), id, name, names),
  };
  return {
    idsOf: (types) => [...resources].filter(([, { Type }]) => types.includes(Type)).map(([id]) => id),
    read: (id, schema) => {
      const given = resources.get(id)?.Properties ?? {};
      const named = Object.keys(schema.entries).filter((name) => name in given);
      const resolved = named.map((name) => [name, resolveIntrinsics(given[name], references, `${id}.${name}`)]);
      return parse(schema, Object.fromEntries(resolved), id);
    },
    arnOf: (id) => String(resolveIntrinsics({ 'Fn::GetAtt': [id, 'Arn'] }, references, id)),
  };
}

/** Parses a value of the template or its manifest; a mismatch throws a LocalError that names the place. */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  place: string,
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  const [issue] = issues;
  throw new LocalError(`The local run cannot read ${place}.${v.getDotPath(issue) ?? ''}: ${issue.message}`);
}

function refOf(resource: Resource | undefined, logicalId: string, names: LocalNames): string | undefined {
  switch (resource?.Type) {
    case 'AWS::DynamoDB::GlobalTable':
    case 'AWS::DynamoDB::Table':
      return names.tableName;
    case 'AWS::Lambda::Function':
    case 'AWS::Lambda::LayerVersion':
    case 'AWS::Events::EventBus':
    case 'AWS::ApiGatewayV2::Api':
    case 'AWS::ApiGatewayV2::Authorizer':
    case 'AWS::ApiGatewayV2::Integration':
    case 'AWS::CodeDeploy::Application':
    case 'AWS::CodeDeploy::DeploymentGroup':
    case 'AWS::IAM::Role':
    case 'AWS::Logs::LogGroup':
    case 'AWS::SQS::Queue':
      return logicalId;
    case 'AWS::Lambda::Alias':
      return aliasArn(resource.Properties);
    case 'AWS::Lambda::Version':
      return versionArn(resource.Properties, logicalId);
    case 'AWS::Cognito::UserPool':
      return userPoolId(logicalId);
    default:
      return undefined;
  }
}

function attributeOf(
  resource: Resource | undefined,
  logicalId: string,
  name: string,
  names: LocalNames,
): string | undefined {
  switch (`${resource?.Type}.${name}`) {
    case 'AWS::DynamoDB::GlobalTable.Arn':
    case 'AWS::DynamoDB::Table.Arn':
      return localArn('dynamodb', `table/${names.tableName}`);
    case 'AWS::DynamoDB::GlobalTable.StreamArn':
    case 'AWS::DynamoDB::Table.StreamArn':
      return localArn('dynamodb', `table/${names.tableName}/stream/local`);
    case 'AWS::Lambda::Function.Arn':
      return functionArn(logicalId);
    case 'AWS::KMS::Key.Arn':
      return localArn('kms', `key/${logicalId}`);
    case 'AWS::Events::EventBus.Arn':
      return localArn('events', `event-bus/${logicalId}`);
    case 'AWS::Events::Rule.Arn':
      return localArn('events', `rule/${logicalId}`);
    case 'AWS::IAM::Role.Arn':
      return `arn:aws:iam::000000000000:role/${logicalId}`;
    case 'AWS::Logs::LogGroup.Arn':
      return localArn('logs', `log-group:${logicalId}:*`);
    case 'AWS::SQS::Queue.Arn':
      return localArn('sqs', logicalId);
    default:
      return undefined;
  }
}

/** Whether a user pool invokes a function before its tokens, which the operators' pool does not. */
function hasTokenTrigger({ LambdaConfig }: Resource['Properties']): boolean {
  return 'PreTokenGenerationConfig' in Object(LambdaConfig);
}

function poolAttribute(resource: Resource | undefined, logicalId: string, name: string): string | undefined {
  if (resource?.Type !== 'AWS::Cognito::UserPool') return undefined;
  const id = userPoolId(logicalId);
  const attributes: Readonly<Record<string, string>> = {
    Arn: userPoolArn(id),
    ProviderName: userPoolIssuer(id).replace('https://', ''),
    ProviderURL: hasTokenTrigger(resource.Properties) ? userPoolIssuer(id) : localUserPool.issuer,
    UserPoolId: id,
  };
  return attributes[name];
}

/** The id of an app client: in the operators' pool the dashboard's, in another one of the form of Cognito's. */
function clientOf(resources: ReadonlyMap<string, Resource>, logicalId: string): string | undefined {
  const client = resources.get(logicalId);
  if (client?.Type !== 'AWS::Cognito::UserPoolClient') return undefined;
  const { Ref: poolId = '' } = Object(client.Properties.UserPoolId) as { Ref?: string };
  return hasTokenTrigger(resources.get(poolId)?.Properties ?? {}) ? logicalId.toLowerCase() : localUserPool.clientId;
}

/** Every alias refers to the only local version of its function. */
function aliasArn({ FunctionName, Name }: Resource['Properties']): string | undefined {
  const { Ref: functionId } = Object(FunctionName) as { Ref?: string };
  return functionId && `${functionArn(functionId)}:${Name}`;
}

function versionArn({ FunctionName }: Resource['Properties'], logicalId: string): string | undefined {
  const { Ref: functionId } = Object(FunctionName) as { Ref?: string };
  return functionId && `${functionArn(functionId)}:${logicalId}`;
}

/** Returns the id of a user pool. */
export function userPoolId(logicalId: string): string {
  return `local_${logicalId}`;
}

/** Returns the issuer that the template has for a user pool with a trigger, by its id. */
export function userPoolIssuer(poolId: string): string {
  return `https://cognito-idp.local.amazonaws.com/${poolId}`;
}

/** Returns the local ARN of a user pool by its id. */
export function userPoolArn(poolId: string): string {
  return localArn('cognito-idp', `userpool/${poolId}`);
}

/** Returns the local ARN of a function. */
export function functionArn(logicalId: string): string {
  return localArn('lambda', `function:${logicalId}`);
}

/** Returns an ARN in the local account and Region. */
export function localArn(service: string, resource: string): string {
  return `arn:aws:${service}:local:000000000000:${resource}`;
}
