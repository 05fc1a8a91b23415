import { describe, expect, test } from '@jest/globals';
import { documentationOf } from '#shared/contract/documentation.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import {
  actionsOf,
  allowsItem,
  allStatementsOf,
  type Statement,
  statementsOf,
  type TouchedItem,
} from './role-permissions.ts';
import { onlyResource, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const template = await synthesizeTemplate();
const untraced = await synthesizeTemplate({ tracing: 'off' });
const [tableId] = onlyResource(template, 'AWS::DynamoDB::GlobalTable');
const [keyId] = onlyResource(template, 'AWS::KMS::Key');
const table = { 'Fn::GetAtt': [tableId, 'Arn'] };
const index = { 'Fn::Join': ['', [table, '/index/gsi1']] };

const computing = ['dynamodb:BatchGetItem', 'kms:GenerateMac'];
// The last use of a key, and the requests of an application.
const reading = [...computing, 'dynamodb:UpdateItem', 'dynamodb:UpdateItem'];
const managing = ['ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query', 'Query', 'UpdateItem'].map(dynamodb);
const streaming = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(dynamodb);
/** The additional actions of each endpoint, by the table accesses in its record. */
const endpointActions = Object.values<ServiceOperation>(serviceOperations).map((operation) => {
  const { writes = {}, lists = [], queries = [] } = documentationOf(operation).table ?? {};
  const queryActions = [lists, queries].filter((keys) => keys.length > 0).map(() => 'Query');
  return [operation.name, [...reading, ...[...Object.keys(writes), ...queryActions].map(dynamodb)]] as const;
});
const expectedActions: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(endpointActions),
  'refuse-unknown-route': [],
  manage: [...computing, ...managing],
  'publish-changes': [...streaming, 'events:PutEvents', 'sqs:SendMessage'],
  'write-history': [...streaming, 'sqs:SendMessage', 'dynamodb:PutItem', 'dynamodb:ConditionCheckItem'],
};
const nonce = { pk: 'NONCE#svk_k1_billing_01JD#n' };
const always = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const tracing = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(dynamodb);
const itemActions = [...writeActions, ...['BatchGetItem', 'Query'].map(dynamodb)];

describe.each(Object.entries(expectedActions))('%s', (name, actions) => {
  test('every function has exactly the permissions that it needs', () => {
    expect(actionsOf(statementsOf(template, name))).toEqual([...always, ...tracing, ...actions].sort());
    expect(actionsOf(statementsOf(untraced, name))).toEqual([...always, ...actions].sort());
  });

  test('every function may access the table and the key, no stream (except its readers), and the index only for queries', () => {
    for (const { Action, Resource } of statementsOf(template, name)) {
      const text = JSON.stringify(Action);
      if (streaming.some((action) => text.includes(action))) continue;
      if (text.includes('dynamodb:')) expect(mayTouch(text)).toContainEqual(Resource);
      if (text.includes('kms:')) expect(Resource).toEqual({ 'Fn::GetAtt': [keyId, 'Arn'] });
    }
  });

  test('every function may read and write only with conditions on the leading key', () => {
    for (const { Action, Condition } of statementsOf(template, name)) {
      if (![Action].flat().some((action) => itemActions.includes(action))) continue;
      expect(Condition).toMatchObject({
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': expect.anything() },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
    }
  });

  test('every function may compute only HMAC_SHA_256', () => {
    for (const { Effect, Action, Condition } of statementsOf(template, name)) {
      if (Action !== 'kms:GenerateMac' || Effect !== 'Allow') continue;
      expect(Condition).toEqual({ StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } });
    }
  });
});

const names = Object.keys(serviceOperations);

test.each(names)('an endpoint reads by their keys only applications, users and the format: %s', (name) => {
  const pks = [
    'APP#billing',
    'USER#ada',
    'FORMAT',
    nonce.pk,
    'FIND#ad',
    'HISTORY#0',
    'IDEMPOTENCY#digest',
    'RATE#billing',
  ];
  const readable = pks.filter((pk) => allowsItem(statementsOf(template, name), 'dynamodb:BatchGetItem', { pk }));
  const readsUsers = !['list-changes', 'get-snapshot'].includes(name);
  expect(readable).toEqual(['APP#billing', ...(readsUsers ? ['USER#ada'] : []), 'FORMAT']);
});

test('manage reads neither nonces nor the requests of applications', () => {
  const readable = [nonce.pk, 'RATE#billing'].filter((pk) =>
    allowsItem(statementsOf(template, 'manage'), 'dynamodb:BatchGetItem', { pk }),
  );
  expect(readable).toEqual([]);
});

test.each(names)('no endpoint may write an application, its keys or its roles: %s', (name) => {
  expect(writable(name, { pk: 'APP#billing' })).toEqual([]);
});

test.each(names)('no endpoint may delete a user, an access or a spent nonce: %s', (name) => {
  expect(writable(name, { pk: 'USER#ada' })).not.toContain('dynamodb:DeleteItem');
  expect(writable(name, nonce)).not.toContain('dynamodb:DeleteItem');
});

describe.each(Object.keys(serviceOperations))('%s', (name) => {
  const keyUse = { pk: 'APP#billing', attributes: ['pk', 'sk', 'lastUsedOn'] };

  test('the last use of a key is recorded only by an update', () => {
    expect(writable(name, keyUse)).toEqual(['dynamodb:UpdateItem']);
  });

  test('the last use of a key is recorded without other attributes', () => {
    const attributes = [...keyUse.attributes, 'keys'];
    expect(writable(name, { ...keyUse, attributes })).toEqual([]);
    const statements = statementsOf(template, name).filter(({ Condition }) => Condition?.StringEqualsIfExists);
    expect(statements).toHaveLength(2);
    for (const { Condition } of statements) {
      expect(Condition).toMatchObject({ Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' } });
    }
  });

  test("recording the last use of a key does not reveal the item's other attributes", () => {
    expect(writable(name, { ...keyUse, returnValues: 'UPDATED_NEW' })).toEqual(['dynamodb:UpdateItem']);
    for (const returnValues of ['ALL_OLD', 'ALL_NEW']) {
      expect(writable(name, { ...keyUse, returnValues })).toEqual([]);
    }
  });
});

test.each(names)('the requests of an application are counted only by an update of three attributes: %s', (name) => {
  const count = { pk: 'RATE#billing', attributes: ['pk', 'sk', 'requests', 'restingRequests', 'ttl'] };
  expect(writable(name, { ...count, returnValues: 'UPDATED_NEW' })).toEqual(['dynamodb:UpdateItem']);
  expect(writable(name, { ...count, returnValues: 'ALL_NEW' })).toEqual([]);
  expect(writable(name, { ...count, attributes: [...count.attributes, 'keys'] })).toEqual([]);
  expect(writable(name, { ...count, pk: 'APP#billing' })).toEqual([]);
});

test.each(Object.values(serviceOperations).filter(({ writes }) => !writes))(
  'a read writes nothing else: $name',
  ({ name }) => {
    for (const pk of ['USER#ada', 'APP#billing', 'APP#billing#ROLE#editor', nonce.pk]) {
      expect(writable(name, { pk })).toEqual([]);
    }
  },
);

test('manage may write users, applications and members', () => {
  for (const pk of ['USER#ada', 'APP#billing', 'APP#billing#ROLE#editor']) {
    expect(writable('manage', { pk })).toEqual(writeActions);
  }
});

test('only manage puts and deletes the search words of users', () => {
  const search = { pk: 'FIND#ad' };
  expect(writable('manage', search)).toEqual(['dynamodb:PutItem', 'dynamodb:DeleteItem']);
  for (const name of names) expect(writable(name, search)).toEqual([]);
});

test('manage may neither write nor delete a nonce', () => {
  expect(writable('manage', nonce)).toEqual([]);
});

test("only manage puts the outcome of an operator's call, and nothing changes or deletes it", () => {
  const call = { pk: 'IDEMPOTENCY#digest' };
  expect(writable('manage', call)).toEqual(['dynamodb:PutItem']);
  for (const name of [...names, 'publish-changes', 'write-history']) expect(writable(name, call)).toEqual([]);
});

describe.each(['publish-changes', 'write-history'])('%s', (name) => {
  test('a reader of the stream may read the stream, and send to the dead-letter queue', () => {
    const [queueId] = onlyResource(template, 'AWS::SQS::Queue');
    const resources = statementsOf(template, name).map(({ Action, Resource }) => [Action, Resource]);
    expect(resources).toEqual(
      expect.arrayContaining([
        [streaming.slice(0, 3), { 'Fn::GetAtt': [tableId, 'StreamArn'] }],
        ['dynamodb:ListStreams', { 'Fn::Join': ['', [table, '/stream/*']] }],
        ['sqs:SendMessage', { 'Fn::GetAtt': [queueId, 'Arn'] }],
      ]),
    );
  });
});

test('publish-changes may put events on the bus, and access no item', () => {
  const [busId] = onlyResource(template, 'AWS::Events::EventBus');
  const puts = statementsOf(template, 'publish-changes').filter(({ Action }) => Action === 'events:PutEvents');
  expect(puts.map(({ Resource }) => Resource)).toEqual([{ 'Fn::GetAtt': [busId, 'Arn'] }]);
  for (const pk of ['USER#ada', 'APP#billing', 'HISTORY#0']) expect(writable('publish-changes', { pk })).toEqual([]);
});

test('write-history may list changes in the global history on condition that they exist, and write nothing else', () => {
  expect(writable('write-history', { pk: 'HISTORY#0' })).toEqual(['dynamodb:PutItem']);
  for (const pk of ['USER#ada', 'APP#billing']) {
    expect(writable('write-history', { pk })).toEqual(['dynamodb:ConditionCheckItem']);
  }
  for (const pk of ['FIND#ad', nonce.pk]) expect(writable('write-history', { pk })).toEqual([]);
});

test('the global history is put and deleted by manage, and by no endpoint', () => {
  const entry = { pk: 'HISTORY#0' };
  expect(writable('manage', entry)).toEqual(['dynamodb:PutItem', 'dynamodb:DeleteItem']);
  for (const name of names) expect(writable(name, entry)).toEqual([]);
});

const member = { pk: 'APP#billing#ROLE#editor' };

test('the members of a role are added only by assign-role', () => {
  const adding = Object.keys(serviceOperations).filter((name) => writable(name, member).includes('dynamodb:PutItem'));
  expect(adding).toEqual(['assign-role']);
});

test('the members of a role are removed by revoke-role, and by assign-role for expired grants', () => {
  expect(writable('revoke-role', member)).toEqual(['dynamodb:DeleteItem']);
  expect(writable('assign-role', member)).toContain('dynamodb:DeleteItem');
});

test('the members of a role are not changed by set-access', () => {
  expect(writable('set-access', member)).toEqual([]);
});

test.each([
  ['list-changes', ['APP#billing#CHANGES', 'USERS#CHANGES']],
  ['get-snapshot', ['APP#billing#USERS', 'USERS#ERASED', 'USERS#INACTIVE']],
])('%s may query only its own lists, in the index', (name, allowed) => {
  const [query] = statementsOf(template, name).filter(({ Action }) => Action === 'dynamodb:Query');
  expect(query?.Condition).toMatchObject({ Null: { 'dynamodb:LeadingKeys': 'false' } });
  const mayQuery = (pk: string) => query !== undefined && allowsItem([query], 'dynamodb:Query', { pk });
  const lists = ['APP#billing#CHANGES', 'USERS#CHANGES', 'APP#billing#USERS', 'USERS#ERASED', 'USERS#INACTIVE'];
  const others = ['USERS', 'APP#billing', 'APPS', 'USER#ada', 'APP#billing#ROLE#editor'];
  expect([...lists, ...others].filter(mayQuery).sort()).toEqual(allowed.toSorted());
});

test('every writing endpoint may use a nonce once', () => {
  for (const { name, writes } of Object.values(serviceOperations)) {
    expect(writable(name, nonce)).toEqual(writes ? ['dynamodb:PutItem'] : []);
  }
});

test('no role has a managed or an inline policy', () => {
  for (const { Properties } of resourcesOf(template, 'AWS::IAM::Role').values()) {
    expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument', 'PermissionsBoundary', 'Tags']);
  }
});

test("a role's policies have no wildcard, except the resource of X-Ray's two actions and of ListStreams", () => {
  const known = /xray:|^dynamodb:ListStreams$/;
  const others = allStatementsOf(template).filter(({ Action }) => !known.test(String(Action)));
  for (const { Action, Resource } of others) expect(JSON.stringify([Action, Resource])).not.toContain('*');
});

test('a statement for all resources has its own policy, the only one with an acknowledged finding', async () => {
  const prod = await synthesizeTemplate({ stage: 'prod', tracing: 'on' });
  const policies = [...resourcesOf(prod, 'AWS::IAM::Policy').values()].map(
    ({ Properties }) => Object(Properties.PolicyDocument).Statement as Statement[],
  );
  const wide = policies.filter((statements) => statements.some(({ Resource }) => Resource === '*'));
  expect(new Set(wide.map((statements) => statements.map(({ Sid }) => Sid).join()))).toEqual(
    new Set(['Traces', 'Alarms']),
  );
});

function mayTouch(actions: string): unknown[] {
  return actions.includes('Query') ? [index, table] : [table];
}

function writable(name: string, item: TouchedItem): string[] {
  const statements = statementsOf(template, name);
  return writeActions.filter((action) => allowsItem(statements, action, item));
}

function dynamodb(action: string): string {
  return `dynamodb:${action}`;
}
