import { expect, test } from '@jest/globals';
import { dynamodbAuthorizations } from '../../../local/iam/dynamodb-authorizations.ts';

const arn = 'arn:aws:dynamodb:local:000000000000:table/items';
const table = { name: 'items', arn, partitionKey: 'pk', indexKeys: { gsi1: 'gsi1pk' } };
const TableName = 'items';
const key = (pk: string, sk = 'x') => ({ pk: { S: pk }, sk: { S: sk } });

const authorizationsOf = (operation: string, json: object) => dynamodbAuthorizations(operation, json, table);

test('an update needs the attributes that its expressions name, including the key, and the values it returns', () => {
  const json = {
    TableName,
    Key: key('APP#crm'),
    UpdateExpression: 'SET #a.#id.#b = :value, plain = if_not_exists(other, :none) REMOVE #c[0] ADD #0 :one',
    ConditionExpression: 'attribute_not_exists(#d) AND (#e BETWEEN :low AND :high OR NOT size(#f.g) = :one)',
    ExpressionAttributeNames: {
      '#a': 'keys',
      '#id': 'svk_1',
      '#b': 'revokedAt',
      '#c': 'list',
      '#0': 'count',
      '#d': 'deleting',
      '#e': 'version',
      '#f': 'map',
    },
    ReturnValues: 'ALL_NEW',
    ReturnConsumedCapacity: 'TOTAL',
  };
  const [authorization, ...others] = authorizationsOf('UpdateItem', json);
  expect(others).toEqual([]);
  expect(authorization).toMatchObject({ action: 'dynamodb:UpdateItem', resource: arn });
  const { 'dynamodb:Attributes': attributes, ...context } = authorization?.context ?? {};
  expect([attributes ?? []].flat().sort()).toEqual([
    'count',
    'deleting',
    'keys',
    'list',
    'map',
    'other',
    'pk',
    'plain',
    'sk',
    'version',
  ]);
  expect(context).toEqual({
    'dynamodb:LeadingKeys': ['APP#crm'],
    'dynamodb:ReturnValues': 'ALL_NEW',
    'dynamodb:ReturnConsumedCapacity': 'TOTAL',
  });
});

test('a put needs the attributes of its item and of its condition', () => {
  const [authorization] = authorizationsOf('PutItem', {
    TableName,
    Item: { ...key('USER#ada'), status: { S: 'active' } },
    ConditionExpression: 'attribute_not_exists(#old)',
    ExpressionAttributeNames: { '#old': 'version' },
  });
  expect(authorization?.action).toBe('dynamodb:PutItem');
  expect(authorization?.context['dynamodb:Attributes']).toEqual(['pk', 'sk', 'status', 'version']);
  expect(authorization?.context['dynamodb:LeadingKeys']).toEqual(['USER#ada']);
  expect(authorization?.context['dynamodb:ReturnValues']).toBeUndefined();
});

test('a transaction needs the permission for each of its entries, each with its own key', () => {
  const of = (pk: string) => ({ TableName, Key: key(pk) });
  const found = authorizationsOf('TransactWriteItems', {
    TransactItems: [
      { Put: { TableName, Item: key('USER#1') } },
      { Update: { ...of('USER#2'), UpdateExpression: 'REMOVE a' } },
      { Delete: of('USER#3') },
      { ConditionCheck: { ...of('USER#4'), ConditionExpression: 'attribute_exists(pk)' } },
    ],
  });
  expect(found.map(({ action, context }) => [action, context['dynamodb:LeadingKeys']])).toEqual([
    ['dynamodb:PutItem', ['USER#1']],
    ['dynamodb:UpdateItem', ['USER#2']],
    ['dynamodb:DeleteItem', ['USER#3']],
    ['dynamodb:ConditionCheckItem', ['USER#4']],
  ]);
  for (const { context } of found) expect(context['dynamodb:EnclosingOperation']).toBe('TransactWriteItems');
});

test('a batch read needs one permission for all of its keys', () => {
  const Keys = [key('USER#ada'), key('APP#crm')];
  expect(authorizationsOf('BatchGetItem', { RequestItems: { items: { Keys } } })).toMatchObject([
    {
      action: 'dynamodb:BatchGetItem',
      resource: arn,
      context: { 'dynamodb:LeadingKeys': ['USER#ada', 'APP#crm'], 'dynamodb:Attributes': ['pk', 'sk'] },
    },
  ]);
});

test('a batch read of some attributes needs them and the key', () => {
  const items = {
    Keys: [key('USER#ada')],
    ProjectionExpression: '#name, roles[0]',
    ExpressionAttributeNames: { '#name': 'displayName' },
    ConsistentRead: true,
  };
  expect(authorizationsOf('BatchGetItem', { RequestItems: { items } })).toMatchObject([
    { context: { 'dynamodb:Attributes': ['pk', 'sk', 'displayName', 'roles'] } },
  ]);
});

test('a query of an index has the index as its resource, and the key of the index as its leading key', () => {
  const json = {
    TableName,
    IndexName: 'gsi1',
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
    FilterExpression: '#where <> :where',
    ExpressionAttributeNames: { '#pk': 'gsi1pk', '#sk': 'gsi1sk', '#where': 'status' },
    ExpressionAttributeValues: {
      ':pk': { S: 'APPS' },
      ':first': { S: 'a' },
      ':last': { S: 'b' },
      ':where': { S: 'x' },
    },
    Select: 'COUNT',
  };
  expect(authorizationsOf('Query', json)).toMatchObject([
    {
      action: 'dynamodb:Query',
      resource: `${arn}/index/gsi1`,
      context: {
        'dynamodb:LeadingKeys': ['APPS'],
        'dynamodb:Attributes': ['gsi1pk', 'gsi1sk', 'status'],
        'dynamodb:Select': 'COUNT',
      },
    },
  ]);
  const ofTable = { ...json, IndexName: undefined, ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' } };
  expect(authorizationsOf('Query', ofTable)).toMatchObject([{ resource: arn }]);
});

test('a scan names the attributes that it returns and filters by', () => {
  const json = {
    TableName,
    Select: 'SPECIFIC_ATTRIBUTES',
    Limit: 10,
    ExclusiveStartKey: key('a'),
    ProjectionExpression: '#0, role',
    FilterExpression: 'attribute_exists(#1)',
    ExpressionAttributeNames: { '#0': 'pk', '#1': 'chainHead' },
  };
  const [scan] = authorizationsOf('Scan', json);
  expect(scan).toMatchObject({ action: 'dynamodb:Scan', resource: arn, context: { 'dynamodb:Select': json.Select } });
  expect([...(scan?.context['dynamodb:Attributes'] ?? [])].sort()).toEqual(['chainHead', 'pk', 'role']);
  expect(authorizationsOf('Scan', { TableName })[0]?.context['dynamodb:Attributes']).toEqual([]);
});

test.each([
  ['Scan', { TableName, ScanFilter: {} }, 'Scan'],
  ['Scan', { TableName, IndexName: 'gsi1' }, 'Scan'],
  ['ExecuteStatement', { Statement: 'SELECT * FROM items' }, "DynamoDB's ExecuteStatement has no known permission"],
  ['PutItem', { TableName: 'others', Item: key('a') }, 'others, which is not the table items'],
  ['PutItem', { TableName, Item: { sk: { S: 'x' } } }, 'no string value for the key pk'],
  ['TransactWriteItems', { TransactItems: [{ Get: {} }] }, 'TransactItems'],
  ['PutItem', { TableName, Item: key('a'), Expected: { status: { Exists: true } } }, 'Put.Expected'],
  ['BatchGetItem', { RequestItems: { items: { Keys: [], AttributesToGet: ['a'] } } }, 'AttributesToGet'],
  ['Query', { TableName, KeyConditions: {} }, 'Query'],
  [
    'Query',
    { TableName, IndexName: 'other', KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: {} },
    'no index other',
  ],
  [
    'Query',
    { TableName, KeyConditionExpression: 'sk = :pk', ExpressionAttributeValues: { ':pk': { S: 'a' } } },
    'does not name pk',
  ],
])('%s with %j causes an error instead of a guess', (operation, json, message) => {
  expect(() => authorizationsOf(operation, json)).toThrow(message);
});
