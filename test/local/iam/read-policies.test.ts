import { describe, expect, test } from '@jest/globals';
import { readPolicies } from '../../../local/iam/read-policies.ts';
import { openTemplate } from '../../../local/template-resources.ts';

const Version = '2012-10-17';
const resources = {
  Table: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    },
  },
  Role: { Type: 'AWS::IAM::Role', Properties: {} },
  Other: { Type: 'AWS::IAM::Role', Properties: {} },
  Function: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
  Policy: {
    Type: 'AWS::IAM::Policy',
    Properties: {
      Roles: [{ Ref: 'Role' }],
      PolicyDocument: {
        Version,
        Statement: [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource: { 'Fn::GetAtt': ['Table', 'Arn'] } }],
      },
    },
  },
};
const read = (more: object = {}) =>
  readPolicies(openTemplate({ Resources: { ...resources, ...more } }, { tableName: 'items' }), 'items').get('Function');

test('a function has the policies of its role, with the ARNs that they refer to', () => {
  const arn = 'arn:aws:dynamodb:local:000000000000:table/items';
  const json = { Version, Statement: [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource: arn }] };
  expect(read()).toEqual({
    functionId: 'Function',
    role: 'arn:aws:iam::000000000000:role/Role',
    resources: [],
    releases: undefined,
    identity: [{ place: 'Policy', json }],
    boundary: undefined,
    table: { name: 'items', arn, partitionKey: 'id', indexKeys: {} },
  });
});

describe('the permissions boundary of a role', () => {
  const readWith = (PermissionsBoundary: unknown) =>
    read({ Role: { Type: 'AWS::IAM::Role', Properties: { PermissionsBoundary } } })?.boundary;
  const boundary = `arn:aws:iam::\${AWS::AccountId}:policy/cdk-mine-boundary-\${AWS::AccountId}-\${AWS::Region}`;

  test('is the one that the bootstrap creates, for the names of the local run', () => {
    const found = JSON.stringify(readWith({ 'Fn::Sub': boundary }));
    expect(found).toContain('arn:aws:dynamodb:local:000000000000:table/*');
    expect(found).toContain('cdk-mine-assets-000000000000-local');
    expect(found).toContain('arn:aws:events:local:000000000000:event-bus/*');
  });

  test.each(['arn:aws:iam::aws:policy/ReadOnlyAccess', 'arn:aws:iam::000000000000:policy/cdk-mine-boundary-0-local'])(
    'is an error if it is another, such as %s',
    (other) => {
      expect(() => readWith(other)).toThrow(/cannot evaluate the permissions boundary .*, which the role Role has/);
    },
  );
});

test('keys and queues have their own policies', () => {
  const Statement = [{ Effect: 'Deny', Action: '*', Resource: '*', Principal: '*' }];
  const found = read({
    Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Version, Statement } } },
    Queue: { Type: 'AWS::SQS::Queue' },
    QueuePolicy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument: { Version, Statement } },
    },
  });
  expect(found?.resources.map(([arn]) => arn)).toEqual([
    'arn:aws:kms:local:000000000000:key/Key',
    'arn:aws:sqs:local:000000000000:Queue',
  ]);
});

test.each([
  ['AWS::IAM::Role', { Policies: [{}] }],
  ['AWS::IAM::Role', { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] }],
  ['AWS::IAM::ManagedPolicy', { Roles: ['Role'] }],
  ['AWS::IAM::RolePolicy', {}],
  ['AWS::DynamoDB::GlobalTable', { Replicas: [{ ResourcePolicy: {} }] }],
  ['AWS::DynamoDB::Table', { ResourcePolicy: {} }],
  ['AWS::Events::EventBus', { Policy: {} }],
  ['AWS::Events::EventBusPolicy', {}],
])('a policy that would be overlooked causes an error: %s with %j', (Type, Properties) => {
  expect(() => read({ Unread: { Type, Properties } })).toThrow(/Unread/);
});
