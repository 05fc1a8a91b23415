import { expect, test } from '@jest/globals';
import { onlyResource, synthesizeTemplate } from './synthesized-stack.ts';

const [, table] = onlyResource(await synthesizeTemplate({ stage: 'prod' }), 'AWS::DynamoDB::GlobalTable');
const [replica, ...otherReplicas] = table.Properties.Replicas as Record<string, unknown>[];

test('the table has the keys pk and sk, both strings', () => {
  expect(table.Properties.KeySchema).toEqual([
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ]);
  expect(table.Properties.AttributeDefinitions).toEqual(
    ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  );
});

test('the table has two indexes, gsi1 and gsi2, with whole items', () => {
  expect(table.Properties.GlobalSecondaryIndexes).toEqual([
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
  ]);
  expect(table.Properties.LocalSecondaryIndexes).toBeUndefined();
});

test('the table expires items by their attribute ttl', () => {
  expect(table.Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true });
});

test('the table streams the images that replicas need, so that replicas can be added later', () => {
  expect(table.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
});

test('the table is billed per request', () => {
  expect(table.Properties.BillingMode).toBe('PAY_PER_REQUEST');
});

test('the table can be restored to any second', () => {
  expect(replica).toMatchObject({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
});

test('the table has deletion protection, and is retained when the stack is deleted', () => {
  expect(replica).toMatchObject({ DeletionProtectionEnabled: true });
  expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
});

test("the table is in the stack's region only, encrypted with a key of DynamoDB", () => {
  expect(otherReplicas).toEqual([]);
  expect(replica).toMatchObject({ Region: { Ref: 'AWS::Region' } });
  expect(table.Properties.SSESpecification).toEqual({ SSEEnabled: false });
});
