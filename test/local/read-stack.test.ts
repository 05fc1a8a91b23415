import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readStack } from '../../local/read-stack.ts';
import { makeFolder, writeAssembly } from './write-assembly.ts';

const names = { tableName: 'local-table', root: 'cm9vdA==' };

describe('reads a synthesized stack', () => {
  test('its table', async () => {
    const { table } = readStack(await writeAssembly({ 'GET /a': '' }), names);
    expect(table).toEqual({
      tableName: 'local-table',
      keySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      attributes: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      indexes: [
        {
          IndexName: 'gsi1',
          KeySchema: [
            { AttributeName: 'gsi1pk', KeyType: 'HASH' },
            { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
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
    expect(readStack(assembly, names).functions).toEqual([
      {
        logicalId: 'Endpoint0',
        handler: 'index.handler',
        environment: { TABLE_NAME: 'local-table', ROOT_KEYS: 'k1=local:cm9vdA==' },
        codeFolder: join(assembly, 'asset.Endpoint0'),
        timeoutSeconds: 10,
        memoryMegabytes: 512,
      },
    ]);
  });

  test('its routes', async () => {
    const { routes } = readStack(await writeAssembly({ 'GET /users/{userId}/access': '', $default: '' }), names);
    expect(routes).toEqual([
      { routeKey: 'GET /users/{userId}/access', functionId: 'Endpoint0', isProtected: false },
      { routeKey: '$default', functionId: 'Endpoint1', isProtected: false },
    ]);
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

describe('says clearly', () => {
  test('that a folder holds no stack', async () => {
    const folder = await makeFolder();
    expect(() => readStack(folder, names)).toThrow('must hold one AuthService*.template.json, but holds 0');
  });

  test('which property it cannot read', async () => {
    const route = { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey: 'GET /b' } };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Broken: route });
    expect(() => readStack(assembly, names)).toThrow('The local run cannot read Broken.Target');
  });

  test('that an integration is no Lambda function', async () => {
    const integration = {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { IntegrationUri: 'https://example.com', PayloadFormatVersion: '2.0' },
    };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Endpoint0Integration: integration });
    expect(() => readStack(assembly, names)).toThrow('Lambda integrations only, unlike Endpoint0Route');
  });

  test('that a bundle is missing', async () => {
    const { Endpoint0 } = {
      Endpoint0: { Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key: 'no.zip' }, Handler: 'index.handler' } },
    };
    const assembly = await writeAssembly({ 'GET /a': '' }, { Endpoint0 });
    expect(() => readStack(assembly, names)).toThrow('has no asset no.zip for Endpoint0');
  });
});

test('knows that an authorizer stands before a route', async () => {
  const route = {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: { AuthorizationType: 'JWT', RouteKey: 'ANY /m', Target: 'integrations/Endpoint0Integration' },
  };
  const { routes } = readStack(await writeAssembly({ 'GET /a': '' }, { Guarded: route }), names);
  expect(routes).toContainEqual({ routeKey: 'ANY /m', functionId: 'Endpoint0', isProtected: true });
});
