import { expect, test } from '@jest/globals';
import { everyEndpoint } from '../support/service-endpoints.ts';
import { statementsOf } from './role-permissions.ts';
import { functionsOf, onlyResource, referredId, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
const [keyId, key] = onlyResource(template, 'AWS::KMS::Key');
const { Statement: statements } = key.Properties.KeyPolicy as { Statement: { Sid: string }[] };
const statement = (sid: string) => statements.find(({ Sid }) => Sid === sid);

test('the root key can only generate HMACs', () => {
  expect(key.Properties).toMatchObject({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
});

test('the root key is retained when the stack is deleted', () => {
  expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
});

test('the root key cannot be deleted or disabled', () => {
  expect(statement('DenyRemoval')).toEqual({
    Sid: 'DenyRemoval',
    Effect: 'Deny',
    Principal: { AWS: '*' },
    Action: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'],
    Resource: '*',
  });
});

test('the root key can be used only by the roles of the endpoints, the management function, the publisher and the issuer of the canary key', () => {
  const functions = functionsOf(template);
  const names = [...everyEndpoint.map(({ name }) => name), 'manage', 'publish-changes', 'issue-canary-key'];
  const roleArns = names.map((name) => functions.get(name)?.Properties.Role);
  expect(statement('DenyUseOutsideFunctions')).toMatchObject({
    Effect: 'Deny',
    Principal: { AWS: '*' },
    Action: ['kms:CreateGrant', 'kms:GenerateMac', 'kms:VerifyMac'],
    Condition: { ArnNotEquals: { 'aws:PrincipalArn': roleArns } },
  });
});

test.each([...everyEndpoint.map(({ name }) => name), 'manage', 'publish-changes'])(
  'the root key is denied to the role of %s outside that function, by name and not by a pattern',
  (name) => {
    const fn = functionsOf(template).get(name);
    const [id = ''] = [...resourcesOf(template, 'AWS::Lambda::Function')]
      .filter(([, other]) => other === fn)
      .map(([functionId]) => functionId);
    const arn = { 'Fn::GetAtt': [id, 'Arn'] };
    const denied = statementsOf(template, name).filter(({ Effect }) => Effect === 'Deny');
    expect(denied).toEqual([
      {
        Effect: 'Deny',
        Action: 'kms:GenerateMac',
        // Every version of the key, even one that is only granted.
        Resource: '*',
        Condition: {
          // The policy is attached to the roles of other functions too.
          ArnEquals: { 'aws:PrincipalArn': { 'Fn::GetAtt': [referredId(fn?.Properties.Role), 'Arn'] } },
          // A negated operator also matches if the key is absent, outside any function.
          ArnNotEquals: { 'lambda:SourceFunctionArn': [arn, { 'Fn::Join': ['', [arn, ':*']] }] },
        },
      },
    ]);
  },
);

test('a policy that binds roles to their functions only denies, and fits into the 6,144 characters of a managed policy', () => {
  const shared = [...resourcesOf(template, 'AWS::IAM::ManagedPolicy').values()].filter(({ Properties }) =>
    JSON.stringify(Properties.PolicyDocument).includes('lambda:SourceFunctionArn'),
  );
  expect(shared.length).toBeGreaterThan(0);
  for (const { Properties } of shared) {
    const { Statement: denials } = Properties.PolicyDocument as { Statement: { Effect: string }[] };
    expect(new Set(denials.map(({ Effect }) => Effect))).toEqual(new Set(['Deny']));
    expect(Properties.Roles).toHaveLength(denials.length);
    expect(denials.length).toBeLessThanOrEqual(12);
  }
});

test("the root key is administered by the stack's account, which may change its policy", () => {
  expect(statements).toHaveLength(4);
  expect(statement('AllowAdministration')).toMatchObject({ Effect: 'Allow', Action: 'kms:*' });
  expect(JSON.stringify(statement('AllowAdministration'))).toContain('":root"');
});

test('the root key can be copied to other Regions later, but only to named ones', () => {
  expect(key.Properties.MultiRegion).toBe(true);
  expect(statement('DenyOtherReplicas')).toEqual({
    Sid: 'DenyOtherReplicas',
    Effect: 'Deny',
    Principal: { AWS: '*' },
    Action: 'kms:ReplicateKey',
    Resource: '*',
  });
});

test('the root key is referenced by ARN, never by an alias', () => {
  expect(rootKeysOf(template)).toEqual({ 'Fn::Join': ['', ['k1=', { 'Fn::GetAtt': [keyId, 'Arn'] }]] });
  expect(resourcesOf(template, 'AWS::KMS::Alias').size).toBe(0);
});

const both = await synthesizeTemplate({ stage: 'prod', rootKeys: 'k1,k2' });

const keys = resourcesOf(both, 'AWS::KMS::Key');
const [firstId, secondId] = [...keys.keys()];

test('a second version of the root key does not change the first', () => {
  expect(firstId).toBe(keyId);
  expect(keys.get(keyId)).toEqual(key);
});

test('a second version of the root key is a separate key, protected like the first', () => {
  const second = keys.get(secondId ?? '');
  expect(secondId).not.toBe(keyId);
  expect(second?.Properties.KeyPolicy).toEqual(key.Properties.KeyPolicy);
  expect(second).toMatchObject({
    DeletionPolicy: 'Retain',
    Properties: { Description: expect.stringMatching(/k2$/) },
  });
});

test('a second version of the root key comes last for the functions, because new API keys are derived from the last', () => {
  const arnOf = (id = '') => ({ 'Fn::GetAtt': [id, 'Arn'] });
  const expected = { 'Fn::Join': ['', ['k1=', arnOf(firstId), ',k2=', arnOf(secondId)]] };
  expect(rootKeysOf(both)).toEqual(expected);
  const output = { 'Fn::Join': ['', ['prod/k1=', arnOf(firstId), ',prod/k2=', arnOf(secondId)]] };
  expect(both.Outputs.RootKeys?.Value).toEqual(output);
  const [grant] = statementsOf(both, 'get-access').filter(({ Action }) => Action === 'kms:GenerateMac');
  expect(grant?.Resource).toEqual([arnOf(firstId), arnOf(secondId)]);
});

function rootKeysOf(from: typeof template): unknown {
  return Object(functionsOf(from).get('get-access')?.Properties.Environment).Variables.ROOT_KEYS;
}
