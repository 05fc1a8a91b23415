import { describe, expect, test } from '@jest/globals';
import { documentationOf } from '#shared/contract/documents.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { webhookEndpoints } from '../support/service-endpoints.ts';
import {
  actionsOf,
  allowsItem,
  allStatementsOf,
  policiesOf as attachedPoliciesOf,
  type Statement,
  statementsOf,
  type TouchedItem,
} from './role-permissions.ts';
import { onlyResource, resourcesOf, rootKeyOf, synthesizeTemplate } from './synthesized-stack.ts';

const template = await synthesizeTemplate();
const untraced = await synthesizeTemplate({ tracing: 'off' });
const hooked = await synthesizeTemplate({ webhooks: 'standard' });
const untracedHooked = await synthesizeTemplate({ webhooks: 'standard', tracing: 'off' });
const hookNames = webhookEndpoints.map(({ name }): string => name);

/** The policies of a function, in a stack that has it. */
function policiesOf(name: string, stack = template): readonly Statement[] {
  const withWebhooks = stack === template ? hooked : untracedHooked;
  return statementsOf(hookNames.includes(name) ? withWebhooks : stack, name);
}
const [tableId] = onlyResource(template, 'AWS::DynamoDB::GlobalTable');
const rootArns = ['k1', 'h1', 'c1', 'w1'].map((version) => ({
  'Fn::GetAtt': [rootKeyOf(template, version)[0], 'Arn'],
}));
const table = { 'Fn::GetAtt': [tableId, 'Arn'] };
const [list, history] = ['gsi1', 'gsi2'].map((index) => ({ 'Fn::Join': ['', [table, `/index/${index}`]] }));

const computing = ['dynamodb:BatchGetItem', 'kms:GenerateMac'];
// The last use of a key, and the requests of an application; of a write for users also the end of a closing.
const reading = [...computing, 'dynamodb:UpdateItem', 'dynamodb:UpdateItem'];
const reopening = (operation: ServiceOperation) =>
  operation.writes && operation.scope !== 'webhooks:write' ? ['dynamodb:UpdateItem'] : [];
// Of both indexes, and of the table.
const managing = ['ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query', 'Query', 'Query', 'UpdateItem'].map(dynamodb);
const streaming = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(dynamodb);
/** The additional actions of each endpoint, by the table accesses in its record. */
const endpointActions = Object.values<ServiceOperation>(serviceOperations).map((operation) => {
  const { writes = {}, lists = [], queries = [], changesApplication } = documentationOf(operation).table ?? {};
  const queryActions = [lists, queries].filter((keys) => keys.length > 0).map(() => 'Query');
  return [
    operation.name,
    [
      ...reading,
      ...reopening(operation),
      ...[...(operation.writes ? ['h'] : []), ...(documentationOf(operation).roots ?? [])].map(() => 'kms:GenerateMac'),
      ...[...Object.keys(writes), ...queryActions].map(dynamodb),
      ...(changesApplication ? ['PutItem', 'UpdateItem'].map(dynamodb) : []),
    ],
  ] as const;
});
const expectedActions: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(endpointActions),
  'refuse-unknown-route': [],
  // A repair finds what no list has.
  manage: [...computing, ...['h', 'c', 'w'].map(() => 'kms:GenerateMac'), ...managing, dynamodb('Scan')],
  'publish-changes': ['kms:GenerateMac', ...streaming, 'events:PutEvents', 'sqs:SendMessage'],
  'number-changes': [
    ...streaming,
    'sqs:SendMessage',
    ...['Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(dynamodb),
  ],
};
const nonce = { pk: 'NONCE#svk_k1_billing_01JD#n' };
const always = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const tracing = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(dynamodb);
const itemActions = [...writeActions, ...['BatchGetItem', 'Query'].map(dynamodb)];

describe.each(Object.entries(expectedActions))('%s', (name, actions) => {
  test('every function has exactly the permissions that it needs', () => {
    expect(actionsOf(policiesOf(name))).toEqual([...always, ...tracing, ...actions].sort());
    expect(actionsOf(policiesOf(name, untraced))).toEqual([...always, ...actions].sort());
  });

  test('every function may access the table and the key, no stream (except its readers), and the indexes only for queries', () => {
    for (const { Effect, Action, Resource } of policiesOf(name)) {
      const text = JSON.stringify(Action);
      if (streaming.some((action) => text.includes(action))) continue;
      if (text.includes('dynamodb:')) expect(mayTouch(text)).toContainEqual(Resource);
      if (text.includes('kms:') && Effect === 'Allow') expect(rootArns).toContainEqual(Resource);
    }
  });

  test('every function may read and write only with conditions on the leading key', () => {
    for (const { Action, Condition } of policiesOf(name)) {
      if (![Action].flat().some((action) => itemActions.includes(action))) continue;
      expect(Condition).toMatchObject({
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': expect.anything() },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
    }
  });

  test('every function may compute only HMAC_SHA_256', () => {
    for (const { Effect, Action, Condition } of policiesOf(name)) {
      if (Action !== 'kms:GenerateMac' || Effect !== 'Allow') continue;
      expect(Condition).toEqual({ StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } });
    }
  });
});

const names = Object.keys(serviceOperations);

test.each(names)('an endpoint reads by their keys only applications, users or webhooks, and the format: %s', (name) => {
  const pks = [
    'APP#billing',
    'USER#ada',
    'FORMAT',
    nonce.pk,
    'FIND#ad',
    'FEED#billing',
    'USERS',
    'IDEMPOTENCY#digest',
    'RATE#billing',
    'WEBHOOKS',
  ];
  const readable = pks.filter((pk) => allowsItem(policiesOf(name), 'dynamodb:BatchGetItem', { pk }));
  const { reads = [] } = documentationOf(serviceOperations[name as keyof typeof serviceOperations]).table ?? {};
  const subject = hookNames.includes(name) ? [] : ['USER#ada'];
  expect(readable).toEqual(['APP#billing', ...subject, 'FORMAT', ...(reads.includes('webhook') ? ['WEBHOOKS'] : [])]);
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

describe.each(hookNames)('%s', (name) => {
  const writes = name !== 'list-own-webhooks';

  test('an endpoint for webhooks may change nothing else of an application', () => {
    const change = { pk: 'APP#billing', attributes: ['pk', 'sk', 'webhooks', 'version', 'updatedAt', 'chainHead'] };
    expect(writable(name, change)).toEqual(writes ? ['dynamodb:UpdateItem'] : []);
    for (const other of ['keys', 'deleting', 'rolloutPercent', 'closedUntil'])
      expect(writable(name, { ...change, attributes: [...change.attributes, other] })).toEqual([]);
    expect(writable(name, { ...change, returnValues: 'ALL_NEW' })).toEqual([]);
  });

  test("an endpoint for webhooks may add only changes to an application's partition", () => {
    const record = {
      pk: 'APP#billing',
      attributes: ['pk', 'sk', 'id', 'at', 'action', 'before', 'after', 'integrity'],
    };
    expect(writable(name, record)).toEqual(writes ? ['dynamodb:PutItem'] : []);
    for (const other of ['keys', 'name', 'members', 'roles'])
      expect(writable(name, { ...record, attributes: [...record.attributes, other] })).toEqual([]);
  });
});

test.each(names)('no endpoint may delete a user, an access or a spent nonce: %s', (name) => {
  expect(writable(name, { pk: 'USER#ada' })).not.toContain('dynamodb:DeleteItem');
  expect(writable(name, nonce)).not.toContain('dynamodb:DeleteItem');
});

/** Those that are limited to some attributes; a read has two. */
const limitedStatements: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(serviceOperations).flatMap(({ name, writes }) => {
    if (!writes) return [];
    return [[name, hookNames.includes(name) ? 4 : 3]];
  }),
);

describe.each(Object.keys(serviceOperations))('%s', (name) => {
  const keyUse = { pk: 'APP#billing', attributes: ['pk', 'sk', 'lastUsedOn'] };

  test('the last use of a key is recorded only by an update', () => {
    expect(writable(name, keyUse)).toEqual(['dynamodb:UpdateItem']);
  });

  test('the last use of a key is recorded without other attributes', () => {
    const attributes = [...keyUse.attributes, 'keys'];
    expect(writable(name, { ...keyUse, attributes })).toEqual([]);
    const statements = policiesOf(name).filter(({ Condition }) => Condition?.StringEqualsIfExists);
    expect(statements).toHaveLength(limitedStatements[name] ?? 2);
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

test.each(Object.values(serviceOperations))(
  'only a write for users may end a closing, and change nothing else: $name',
  (operation) => {
    const closing = { pk: 'APP#billing', attributes: ['pk', 'sk', 'closedUntil'] };
    expect(writable(operation.name, closing)).toEqual(reopening(operation));
    expect(writable(operation.name, { ...closing, returnValues: 'ALL_NEW' })).toEqual([]);
    for (const other of ['deleting', 'keys', 'lastUsedOn']) {
      expect(writable(operation.name, { ...closing, attributes: [...closing.attributes, other] })).toEqual([]);
    }
  },
);

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
    for (const pk of [
      'USER#ada',
      'APP#billing',
      'APP#billing#ROLE#editor',
      'FEED#billing',
      'USERS#INACTIVE',
      nonce.pk,
    ]) {
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
  for (const name of [...names, 'publish-changes', 'number-changes']) expect(writable(name, call)).toEqual([]);
});

describe.each(['publish-changes', 'number-changes'])('%s', (name) => {
  test('a reader of the stream may read the stream, and send to the dead-letter queue', () => {
    const [queueId] = onlyResource(template, 'AWS::SQS::Queue');
    const resources = policiesOf(name).map(({ Action, Resource }) => [Action, Resource]);
    expect(resources).toEqual(
      expect.arrayContaining([
        [streaming.slice(0, 3), { 'Fn::GetAtt': [tableId, 'StreamArn'] }],
        ['dynamodb:ListStreams', { 'Fn::Join': ['', [table, '/stream/*']] }],
        ['sqs:SendMessage', { 'Fn::GetAtt': [queueId, 'Arn'] }],
      ]),
    );
  });
});

test('publish-changes may compute MACs and put events on the bus, and access no item', () => {
  const [busId] = onlyResource(template, 'AWS::Events::EventBus');
  const puts = statementsOf(template, 'publish-changes').filter(({ Action }) => Action === 'events:PutEvents');
  expect(puts.map(({ Resource }) => Resource)).toEqual([{ 'Fn::GetAtt': [busId, 'Arn'] }]);
  for (const pk of ['USER#ada', 'APP#billing', 'FEED#billing']) expect(writable('publish-changes', { pk })).toEqual([]);
});

test('number-changes may query and write the feeds, count in the overview if the application exists, and use no other partition of the table or its indexes', () => {
  for (const pk of ['FEED#billing', 'FEED#USERS']) {
    expect(mayQuery('number-changes', pk)).toEqual([table]);
    expect(writable('number-changes', { pk })).toEqual([
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    ]);
  }
  const others = ['USER#ada', 'USERS', 'USERS#INACTIVE', 'USERS#ERASED', 'USERS#CHANGES', 'APP#billing', 'APPS'];
  const ofApplication = ['APP#billing#USERS', 'APP#billing#CHANGES', 'APP#billing#ROLE#editor', 'RATE#billing'];
  for (const pk of [...others, ...ofApplication, 'HISTORY#0', 'FIND#ad', 'FORMAT', 'IDEMPOTENCY#digest', nonce.pk]) {
    expect([pk, mayQuery('number-changes', pk), writable('number-changes', { pk })]).toEqual([
      pk,
      [],
      pk.startsWith('APP#') ? ['dynamodb:ConditionCheckItem'] : [],
    ]);
  }
  const overview = { pk: 'OVERVIEW' };
  expect(writable('number-changes', overview)).toEqual(['dynamodb:UpdateItem']);
  expect(writable('manage', overview)).toEqual(['dynamodb:UpdateItem', 'dynamodb:DeleteItem']);
});

test('only those that write changes may add to a feed; number-changes, and the repair of manage, may change it', () => {
  const writing = Object.values(serviceOperations).flatMap(({ name, writes }): string[] => (writes ? [name] : []));
  expect(writable('manage', { pk: 'FEED#billing' }).sort()).toEqual([
    'dynamodb:ConditionCheckItem',
    'dynamodb:DeleteItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  ]);
  for (const name of [...names, 'publish-changes']) {
    const expected = writing.includes(name) ? ['dynamodb:PutItem'] : [];
    expect([name, writable(name, { pk: 'FEED#billing' })]).toEqual([name, expected]);
  }
});

test('only manage may query the global history, in its index', () => {
  for (const name of Object.keys(expectedActions)) {
    expect([name, mayQuery(name, 'HISTORY#0')]).toEqual([name, name === 'manage' ? [history] : []]);
  }
});

test('only manage writes the lists of all, of inactive and of erased users', () => {
  for (const pk of ['USERS', 'USERS#INACTIVE', 'USERS#ERASED']) {
    expect(writable('manage', { pk })).toEqual(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']);
    for (const name of [...names, 'number-changes']) expect(writable(name, { pk })).toEqual([]);
  }
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
  ['list-changes', ['FEED#USERS', 'FEED#billing']],
  // IAM cannot allow a prefix without what it contains: the list of all users has only ids.
  ['get-snapshot', ['APP#billing#USERS', 'FEED#USERS', 'FEED#billing', 'USERS', 'USERS#ERASED', 'USERS#INACTIVE']],
])('%s may query only the lists that it reads, strongly consistent in the table', (name, allowed) => {
  const lists = ['FEED#USERS', 'FEED#billing', 'APP#billing#USERS', 'USERS', 'USERS#ERASED', 'USERS#INACTIVE'];
  const others = ['APP#billing', 'APP#billing#CHANGES', 'APP#billing#ROLE#editor', 'APPS', 'USER#ada', 'HISTORY#0'];
  for (const pk of [...lists, ...others]) {
    expect([pk, mayQuery(name, pk)]).toEqual([pk, allowed.includes(pk) ? [table] : []]);
  }
});

test('every writing endpoint may use a nonce once', () => {
  for (const { name, writes } of Object.values(serviceOperations)) {
    expect(writable(name, nonce)).toEqual(writes ? ['dynamodb:PutItem'] : []);
  }
});

test('no role has a managed policy of AWS', () => {
  for (const { Properties } of resourcesOf(template, 'AWS::IAM::Role').values()) {
    const names = Object.keys(Properties).filter((name) => name !== 'Policies');
    expect(names).toEqual(['AssumeRolePolicyDocument', 'Tags']);
  }
});

test("a role's policies allow nothing by a wildcard, except the resource of X-Ray's two actions, of ListStreams and of ListTables", () => {
  const known = /xray:|^dynamodb:List(Streams|Tables)$/;
  const others = allStatementsOf(template).filter(
    ({ Effect, Action }) => Effect === 'Allow' && !known.test(String(Action)),
  );
  for (const { Action, Resource } of others) expect(JSON.stringify([Action, Resource])).not.toContain('*');
});

test('a statement for all resources has its own policy, the only one with an acknowledged finding', async () => {
  const prod = await synthesizeTemplate({ stage: 'prod', tracing: 'on' });
  const policies = attachedPoliciesOf(prod).map(({ PolicyDocument }) => PolicyDocument.Statement);
  const wide = policies.filter((statements) =>
    statements.some(({ Effect, Resource }) => Effect === 'Allow' && Resource === '*'),
  );
  expect(new Set(wide.map((statements) => statements.map(({ Sid }) => Sid).join()))).toEqual(
    new Set(['Traces', 'Alarms', 'Tables']),
  );
});

function mayTouch(actions: string): unknown[] {
  return actions.includes('Query') ? [list, history, table] : [table];
}

/** The table and indexes in which the function may query the partition. */
function mayQuery(name: string, pk: string): unknown[] {
  return policiesOf(name).flatMap((statement) =>
    allowsItem([statement], 'dynamodb:Query', { pk }) ? [statement.Resource] : [],
  );
}

function writable(name: string, item: TouchedItem): string[] {
  const statements = policiesOf(name);
  return writeActions.filter((action) => allowsItem(statements, action, item));
}

function dynamodb(action: string): string {
  return `dynamodb:${action}`;
}
