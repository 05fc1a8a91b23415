import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Creates an empty, exclusive folder, removed after the file's tests. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-'));
  folders.push(folder);
  return folder;
}

/** Creates a folder with a function's bundle, a CommonJS module. */
export async function writeBundle(source: string): Promise<string> {
  const folder = await makeFolder();
  await writeFile(join(folder, 'index.js'), source);
  return folder;
}

/** The fixture's route with the JWT authorizer, whose function also has a function URL. */
export const manageRouteKey = 'ANY /api/manage/{proxy+}';

/**
 * Writes a template of the shape that the CDK generates for this project, with the functions' sources by route key; the
 * management route is always included. `more` adds resources or replaces some, and `variables` adds to the functions' environment.
 */
export async function writeAssembly(
  sources: Record<string, string>,
  more: object = {},
  variables: object = {},
): Promise<string> {
  const folder = await makeFolder();
  const named = Object.entries(sources).map(([routeKey, source], at) => ({ routeKey, source, id: `Endpoint${at}` }));
  const manage = { routeKey: manageRouteKey, source: sources[manageRouteKey] ?? '', id: 'Manage' };
  const endpoints = [...named.filter(({ routeKey }) => routeKey !== manageRouteKey), manage];
  for (const { id, source } of endpoints) {
    await mkdir(join(folder, `asset.${id}`));
    await writeFile(join(folder, `asset.${id}`, 'index.js'), source);
  }
  const resources = Object.assign(
    {},
    sharedResources,
    ...endpoints.map((endpoint) => endpointResources(endpoint, variables)),
    more,
  );
  await writeFile(join(folder, 'AuthService.template.json'), JSON.stringify({ Resources: resources }));
  await writeFile(join(folder, 'AuthService.assets.json'), JSON.stringify({ files: assetFiles(endpoints) }));
  return folder;
}

interface Endpoint {
  readonly id: string;
  readonly routeKey: string;
}

const sharedResources = {
  Items: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'].map((name) => ({
        AttributeName: name,
        AttributeType: 'S',
      })),
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema('pk', 'sk'),
      GlobalSecondaryIndexes: ['gsi1', 'gsi2'].map((IndexName) => ({
        IndexName,
        KeySchema: keySchema(`${IndexName}pk`, `${IndexName}sk`),
        Projection: { ProjectionType: 'ALL' },
      })),
      Replicas: [{ Region: { Ref: 'AWS::Region' }, DeletionProtectionEnabled: true }],
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    },
  },
  RootKey: {
    Type: 'AWS::KMS::Key',
    Properties: { KeySpec: 'HMAC_256', KeyPolicy: { Version: '2012-10-17', Statement: [] } },
  },
  HttpApi: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
  Pool: { Type: 'AWS::Cognito::UserPool', Properties: {} },
  PoolClient: { Type: 'AWS::Cognito::UserPoolClient', Properties: { UserPoolId: { Ref: 'Pool' } } },
  Operators: authorizer({ 'Fn::GetAtt': ['Pool', 'ProviderURL'] }, { Ref: 'PoolClient' }),
  ManageUrl: {
    Type: 'AWS::Lambda::Url',
    Properties: { AuthType: 'AWS_IAM', TargetFunctionArn: { 'Fn::GetAtt': ['Manage', 'Arn'] } },
  },
};

/** Builds a JWT authorizer for tokens of an issuer. */
export function authorizer(issuer: unknown, audience: unknown) {
  return {
    Type: 'AWS::ApiGatewayV2::Authorizer',
    Properties: {
      ApiId: { Ref: 'HttpApi' },
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Audience: [audience], Issuer: issuer },
      Name: 'Operators',
    },
  };
}

const guarded = {
  AuthorizationType: 'JWT',
  AuthorizerId: { Ref: 'Operators' },
  AuthorizationScopes: ['auth-service/manage'],
};

function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];
}

function endpointResources({ id, routeKey }: Endpoint, variables: object) {
  const bucket = { 'Fn::Sub': `cdk-assets-\${AWS::AccountId}-\${AWS::Region}` };
  return {
    [id]: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: bucket, S3Key: `${id}.zip` },
        Environment: {
          Variables: {
            TABLE_NAME: { Ref: 'Items' },
            ROOT_KEYS: { 'Fn::Join': ['', ['k1=', { 'Fn::GetAtt': ['RootKey', 'Arn'] }]] },
            ...variables,
          },
        },
        Handler: 'index.handler',
        MemorySize: 512,
        Role: { 'Fn::GetAtt': [`${id}Role`, 'Arn'] },
        Timeout: 10,
      },
    },
    [`${id}Role`]: { Type: 'AWS::IAM::Role', Properties: {} },
    [`${id}Integration`]: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { IntegrationUri: { 'Fn::GetAtt': [id, 'Arn'] }, PayloadFormatVersion: '2.0' },
    },
    [`${id}Route`]: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ...(routeKey === manageRouteKey ? guarded : { AuthorizationType: 'NONE' }),
        RouteKey: routeKey,
        Target: { 'Fn::Join': ['', ['integrations/', { Ref: `${id}Integration` }]] },
      },
    },
  };
}

function assetFiles(endpoints: readonly Endpoint[]) {
  const entries = endpoints.map(({ id }) => [
    id,
    { source: { path: `asset.${id}`, packaging: 'zip' }, destinations: { current: { objectKey: `${id}.zip` } } },
  ]);
  return Object.fromEntries(entries);
}
