import { expect, test } from '@jest/globals';
import {
  conditionCheckEntry,
  deleteEntry,
  putEntry,
  putNewEntry,
  updateEntry,
  updateOf,
} from '#shared/table/expression.ts';

const TableName = process.env.TABLE_NAME;
const key = { pk: 'USER#ada', sk: 'USER' };
/** Some keys also contain those of an index. */
const wideKey = { ...key, gsi1pk: 'USERS', gsi1sk: 'ada' };
const item = { ...key, name: 'Ada' };
const condition = { equals: { version: 2 }, absent: ['deleting', 'erased'], below: { last: 'b' } };
const conditioned = {
  ConditionExpression:
    '#version = :is_version AND attribute_not_exists(#deleting) AND attribute_not_exists(#erased) AND (attribute_not_exists(#last) OR #last < :below_last)',
  names: { '#version': 'version', '#deleting': 'deleting', '#erased': 'erased', '#last': 'last' },
  values: { ':is_version': 2, ':below_last': 'b' },
};
const { ConditionExpression, names, values } = conditioned;

// DynamoDB rejects empty expressions, names and values, and unused names.
test('an update sets and removes attributes, under a condition', () => {
  expect(
    updateEntry({ key: wideKey, set: { name: 'Ada', email: null }, remove: ['words', 'ttl'], ...condition }),
  ).toEqual({
    Update: {
      TableName,
      Key: key,
      ConditionExpression,
      UpdateExpression: 'SET #name = :name, #email = :email REMOVE #words, #ttl',
      ExpressionAttributeNames: { '#name': 'name', '#email': 'email', '#words': 'words', '#ttl': 'ttl', ...names },
      ExpressionAttributeValues: { ':name': 'Ada', ':email': null, ...values },
    },
  });
});

test('an update that only removes has no values, unless its condition has some', () => {
  const removal = { TableName, Key: key, UpdateExpression: 'REMOVE #ttl' };
  expect(updateOf({ key, set: {}, remove: ['ttl'] })).toStrictEqual({
    ...removal,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
  });
  expect(updateOf({ key, set: {}, remove: ['ttl'], equals: { version: 2 } })).toStrictEqual({
    ...removal,
    ConditionExpression: '#version = :is_version',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#version': 'version' },
    ExpressionAttributeValues: { ':is_version': 2 },
  });
});

test('an update that only sets removes nothing', () => {
  expect(updateOf({ key, set: { name: 'Ada' } })).toStrictEqual({
    TableName,
    Key: key,
    UpdateExpression: 'SET #name = :name',
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: { ':name': 'Ada' },
  });
});

test('a condition check has values only if it compares with some', () => {
  expect(conditionCheckEntry(wideKey, condition)).toStrictEqual({
    ConditionCheck: {
      TableName,
      Key: key,
      ConditionExpression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  });
  expect(conditionCheckEntry(key, { absent: ['deleting'] })).toStrictEqual({
    ConditionCheck: {
      TableName,
      Key: key,
      ConditionExpression: 'attribute_not_exists(#deleting)',
      ExpressionAttributeNames: { '#deleting': 'deleting' },
    },
  });
});

test.each([
  ['Put', { Item: item }, (given?: object) => putEntry(item, given)],
  ['Delete', { Key: key }, (given?: object) => deleteEntry(wideKey, given)],
])('a %s has a condition only if one is given, with values only if it compares', (kind, what, entry) => {
  expect(entry()).toStrictEqual({ [kind]: { TableName, ...what } });
  expect(entry(condition)).toStrictEqual({
    [kind]: {
      TableName,
      ...what,
      ConditionExpression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  });
  expect(entry({ absent: ['version'] })).toStrictEqual({
    [kind]: {
      TableName,
      ...what,
      ConditionExpression: 'attribute_not_exists(#version)',
      ExpressionAttributeNames: { '#version': 'version' },
    },
  });
});

test('a new item is written only if none exists, and a refusal contains the existing one', () => {
  expect(putNewEntry(item)).toStrictEqual({
    Put: {
      TableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });
});
