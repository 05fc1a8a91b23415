import { describe, expect, test } from '@jest/globals';
import { type ServiceRouteName, serviceRoutes } from '#shared/contract/routes.ts';
import { actionsOf, allowsItem, allStatementsOf, statementsOf } from './role-permissions.ts';
import { onlyResource, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const template = synthesizeTemplate();
const [tableId] = onlyResource(template, 'AWS::DynamoDB::GlobalTable');
const [keyId] = onlyResource(template, 'AWS::KMS::Key');

const reading = ['dynamodb:BatchGetItem', 'kms:GenerateMac'];
const changing = [...reading, 'dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
const expectedActions: Record<ServiceRouteName | 'refuse-unknown-route', readonly string[]> = {
  'get-access': reading,
  'set-access': changing,
  'assign-role': changing,
  'revoke-role': [...changing, 'dynamodb:DeleteItem'],
  'refuse-unknown-route': [],
};
const always = ['logs:CreateLogStream', 'logs:PutLogEvents', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
  (action) => `dynamodb:${action}`,
);

describe.each(Object.entries(expectedActions))('%s', (name, actions) => {
  test('may do what it has to, and nothing else', () => {
    expect(actionsOf(statementsOf(template, name))).toEqual([...always, ...actions].sort());
  });

  test('may touch the table and the key, no index and no stream', () => {
    for (const { Action, Resource } of statementsOf(template, name)) {
      const text = JSON.stringify(Action);
      if (text.includes('dynamodb:')) expect(Resource).toEqual({ 'Fn::GetAtt': [tableId, 'Arn'] });
      if (text.includes('kms:')) expect(Resource).toEqual({ 'Fn::GetAtt': [keyId, 'Arn'] });
    }
  });
});

describe('no endpoint', () => {
  const names = Object.keys(serviceRoutes);

  test.each(names)('may write an application, its keys or its roles: %s', (name) => {
    expect(writable(name, 'APP#billing')).toEqual([]);
  });

  test.each(names)('may delete a user, an access or a spent nonce: %s', (name) => {
    expect(writable(name, 'USER#ada')).not.toContain('dynamodb:DeleteItem');
    expect(writable(name, 'NONCE#svk_k1_billing_01JD#n')).not.toContain('dynamodb:DeleteItem');
  });

  test.each(names)('may write without naming a leading key: %s', (name) => {
    for (const { Action, Condition } of statementsOf(template, name)) {
      if (![Action].flat().some((action) => writeActions.includes(action))) continue;
      expect(Condition).toMatchObject({
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': expect.anything() },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
    }
  });

  test.each(names)('may compute another MAC than HMAC_SHA_256: %s', (name) => {
    const statement = statementsOf(template, name).find(({ Action }) => Action === 'kms:GenerateMac');
    expect(statement?.Condition).toEqual({ StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } });
  });
});

describe('the members of a role', () => {
  const member = 'APP#billing#ROLE#editor';

  test('are added by assign-role alone', () => {
    expect(writable('assign-role', member)).toEqual(['dynamodb:PutItem']);
  });

  test('are removed by revoke-role alone', () => {
    expect(writable('revoke-role', member)).toEqual(['dynamodb:DeleteItem']);
  });

  test('are left alone by set-access', () => {
    expect(writable('set-access', member)).toEqual([]);
  });
});

test('every writing endpoint may spend a nonce, once', () => {
  for (const { name, writes } of Object.values(serviceRoutes)) {
    expect(writable(name, 'NONCE#svk_k1_billing_01JD#n')).toEqual(writes ? ['dynamodb:PutItem'] : []);
  }
});

test('no role has a managed policy or one inside itself', () => {
  template.resourceCountIs('AWS::IAM::ManagedPolicy', 0);
  for (const { Properties } of resourcesOf(template, 'AWS::IAM::Role').values()) {
    expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
  }
});

test("no wildcard stands in a role's policies, but for the resource of X-Ray's two actions", () => {
  const others = allStatementsOf(template).filter(({ Action }) => !String(Action).includes('xray:'));
  for (const { Action, Resource } of others) expect(JSON.stringify([Action, Resource])).not.toContain('*');
});

function writable(name: string, pk: string): string[] {
  const statements = statementsOf(template, name);
  return writeActions.filter((action) => allowsItem(statements, action, pk));
}
