import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readStack } from '../../local/read-stack.ts';
import { authorizer, makeFolder, manageRouteKey, writeAssembly } from './write-assembly.ts';

const names = { tableName: 'local-table' };

describe('reads a synthesized stack', () => {
  test('its table', async () => {
    const { table } = readStack(await writeAssembly({ 'GET /a': '' }), names);
    expect(table).toEqual({
      tableName: 'local-table',
      keySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      attributes: ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'].map((name) => ({
        AttributeName: name,
        AttributeType: 'S',
      })),
      indexes: [
        {
          IndexName: 'gsi1',
          KeySchema: [
            { AttributeName: 'gsi1pk', KeyType: 'HASH' },
            { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'gsi2',
          KeySchema: [
            { AttributeName: 'gsi2pk', KeyType: 'HASH' },
            { AttributeName: 'gsi2sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      streamViewType: 'NEW_IMAGE',
      ttlAttribute: 'ttl',
    });
  });

  test('its functions, with the environment resolved and the folder of the bundle', async () => {
    const assembly = await writeAssembly({ 'GET /a': '' });
    const model = (logicalId: string) => ({
      logicalId,
      handler: 'index.handler',
      environment: { TABLE_NAME: 'local-table', ROOT_KEYS: 'k1=arn:aws:kms:local:000000000000:key/RootKey' },
      codeFolder: join(assembly, `asset.${logicalId}`),
      timeoutSeconds: 10,
      memoryMegabytes: 512,
    });
    expect(readStack(assembly, names).functions).toEqual([model('Endpoint0'), model('Manage')]);
  });

  test('the files of a layer, where they are on this machine', async () => {
    const layer = { Type: 'AWS::Lambda::LayerVersion', Properties: { Content: { S3Key: 'Manage.zip' } } };
    const styled = {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Key: 'Endpoint0.zip' },
        Handler: 'index.handler',
        Layers: [{ Ref: 'Logo' }],
        Environment: { Variables: { STYLE: '{"path":"/opt/logo"}' } },
      },
    };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Logo: layer, Endpoint0: styled });
    const [fn] = readStack(assembly, names).functions;
    expect(fn?.environment).toEqual({ STYLE: JSON.stringify({ path: join(assembly, 'asset.Manage/logo') }) });
  });

  test('its routes', async () => {
    const { routes } = readStack(await writeAssembly({ 'GET /users/{userId}/access': '', $default: '' }), names);
    expect(routes).toEqual([
      { routeKey: 'GET /users/{userId}/access', functionId: 'Endpoint0', isProtected: false },
      { routeKey: '$default', functionId: 'Endpoint1', isProtected: false },
      {
        routeKey: manageRouteKey,
        functionId: 'Manage',
        isProtected: true,
        authorizer: { audience: ['dashboard'], scopes: ['auth-service/manage'] },
      },
    ]);
  });

  test('its function URL', async () => {
    const { functionUrl } = readStack(await writeAssembly({ 'GET /a': '' }), names);
    expect(functionUrl).toEqual({ functionId: 'Manage' });
  });

  test('the function of a function URL that has no route', async () => {
    const stack = readStack(await writeAssembly({}, { ManageRoute: { Type: 'AWS::CDK::Metadata' } }), names);
    expect(stack.routes).toEqual([]);
    expect(stack.functions).toMatchObject([{ logicalId: 'Manage' }]);
  });

  test('an authorizer for tokens of another provider', async () => {
    const Operators = authorizer('https://login.example/', 'api');
    const { routes } = readStack(await writeAssembly({}, { Operators }), names);
    expect(routes[0]?.authorizer).toMatchObject({ issuer: 'https://login.example/', audience: ['api'] });
  });

  test('a function that is invoked by its alias', async () => {
    const alias = { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Endpoint0' }, Name: 'live' } };
    const integration = {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { IntegrationUri: { Ref: 'Live' }, PayloadFormatVersion: '2.0' },
    };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Live: alias, Endpoint0Integration: integration });
    expect(readStack(assembly, names).routes[0]).toMatchObject({ routeKey: 'GET /a', functionId: 'Endpoint0' });
  });

  test('an older Table like a GlobalTable', async () => {
    const table = {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
      },
    };
    const stack = readStack(await writeAssembly({ 'GET /a': '' }, { Items: table }), names);
    expect(stack.table).toMatchObject({ keySchema: [{ AttributeName: 'id' }], indexes: [], ttlAttribute: undefined });
    expect(stack.functions[0]?.environment.TABLE_NAME).toBe('local-table');
  });
});

describe('reports', () => {
  test('that a folder contains no stack', async () => {
    const folder = await makeFolder();
    expect(() => readStack(folder, names)).toThrow('must contain one AuthService*.template.json, but contains 0');
  });

  test('which property it cannot read', async () => {
    const route = { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey: 'GET /b' } };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Broken: route });
    expect(() => readStack(assembly, names)).toThrow('The local run cannot read Broken.Target');
  });

  test('that an integration is not a Lambda function', async () => {
    const integration = {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { IntegrationUri: 'https://example.com', PayloadFormatVersion: '2.0' },
    };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Endpoint0Integration: integration });
    expect(() => readStack(assembly, names)).toThrow('Endpoint0Route is not a Lambda integration');
  });

  test.each([
    ['open to all', { AuthType: 'NONE', TargetFunctionArn: { 'Fn::GetAtt': ['Manage', 'Arn'] } }, 'ManageUrl.AuthType'],
    [
      'without a function',
      { AuthType: 'AWS_IAM', TargetFunctionArn: 'manage' },
      'cannot find the function of ManageUrl',
    ],
  ])('that a function URL is %s', async (_, Properties, message) => {
    const assembly = await writeAssembly({}, { ManageUrl: { Type: 'AWS::Lambda::Url', Properties } });
    expect(() => readStack(assembly, names)).toThrow(message);
  });

  test('that the stack has no function URL, or two', async () => {
    const without = await writeAssembly({}, { ManageUrl: { Type: 'AWS::CDK::Metadata' } });
    const second = await writeAssembly({}, { Second: { Type: 'AWS::Lambda::Url', Properties: {} } });
    for (const assembly of [without, second]) {
      expect(() => readStack(assembly, names)).toThrow('supports only stacks with one function URL');
    }
  });

  test('the name of an unsupported authorizer', async () => {
    const Operators = { Type: 'AWS::ApiGatewayV2::Authorizer', Properties: { AuthorizerType: 'REQUEST' } };
    const assembly = await writeAssembly({}, { Operators });
    expect(() => readStack(assembly, names)).toThrow('The local run cannot read Operators.');
  });

  test('that a bundle is missing', async () => {
    const { Endpoint0 } = {
      Endpoint0: { Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key: 'no.zip' }, Handler: 'index.handler' } },
    };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Endpoint0 });
    expect(() => readStack(assembly, names)).toThrow('has no asset no.zip for Endpoint0');
  });
});

test('marks a route with another type of authorizer as protected', async () => {
  const route = {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: { AuthorizationType: 'AWS_IAM', RouteKey: 'ANY /m', Target: 'integrations/Endpoint0Integration' },
  };
  const { routes } = readStack(await writeAssembly({ 'GET /a': '' }, { Guarded: route }), names);
  expect(routes).toContainEqual({ routeKey: 'ANY /m', functionId: 'Endpoint0', isProtected: true });
});
