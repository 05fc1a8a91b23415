import { describe, expect, test } from '@jest/globals';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { functionsOf, onlyResource, synthesizeTemplate } from './synthesized-stack.ts';

const template = synthesizeTemplate({ stage: 'prod' });
const [keyId, key] = onlyResource(template, 'AWS::KMS::Key');
const { Statement: statements } = key.Properties.KeyPolicy as { Statement: { Sid: string }[] };
const statement = (sid: string) => statements.find(({ Sid }) => Sid === sid);

describe('the root key', () => {
  test('makes HMACs and nothing else', () => {
    expect(key.Properties).toMatchObject({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
  });

  test('stays when the stack goes', () => {
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('can be deleted or disabled by nobody', () => {
    expect(statement('NobodyRemoves')).toEqual({
      Sid: 'NobodyRemoves',
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'],
      Resource: '*',
    });
  });

  test('can be used by the roles of the endpoints and of the management function alone', () => {
    const functions = functionsOf(template);
    const roleArns = [...Object.keys(serviceRoutes), 'manage'].map((name) => functions.get(name)?.Properties.Role);
    expect(statement('OnlyItsFunctionsUse')).toMatchObject({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['kms:CreateGrant', 'kms:GenerateMac', 'kms:VerifyMac'],
      Condition: { ArnNotEquals: { 'aws:PrincipalArn': roleArns } },
    });
  });

  test("is administered by the stack's account, which may change its policy", () => {
    expect(statements).toHaveLength(3);
    expect(statement('AccountAdministers')).toMatchObject({ Effect: 'Allow', Action: 'kms:*' });
    expect(JSON.stringify(statement('AccountAdministers'))).toContain('":root"');
  });

  test('is named by its ARN, never by an alias', () => {
    const rootKeys = { 'Fn::Join': ['', ['k1=', { 'Fn::GetAtt': [keyId, 'Arn'] }]] };
    expect(functionsOf(template).get('get-access')?.Properties.Environment).toMatchObject({
      Variables: { ROOT_KEYS: rootKeys },
    });
    template.resourceCountIs('AWS::KMS::Alias', 0);
  });
});
