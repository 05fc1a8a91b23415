import { describe, expect, test } from '@jest/globals';
import { nameOf, onlyResource, referredId, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
const [busId, bus] = onlyResource(template, 'AWS::Events::EventBus');
const [queueId] = onlyResource(template, 'AWS::SQS::Queue');
const [tableId] = onlyResource(template, 'AWS::DynamoDB::GlobalTable');
// Without aliases between the stream and the functions; canary-release.test.ts covers the rest.
const mappings = [...resourcesOf(await synthesizeTemplate(), 'AWS::Lambda::EventSourceMapping').values()];

test("the table's stream has two readers, the maximum, each with its own position", () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const readers = mappings.map(({ Properties }) => functions.get(referredId(Properties.FunctionName) ?? ''));
  expect(readers.map((fn) => fn && nameOf(fn))).toEqual(['publish-changes', 'number-changes']);
});

test('the publisher reads ten batches of a shard at once; number-changes reads one, as parallel ones would number the same feeds', () => {
  expect(mappings.map(({ Properties }) => Properties.ParallelizationFactor)).toEqual([10, 1]);
});

describe.each(mappings)('a reader of the stream', (mapping) => {
  test("the table's stream is read from its beginning", () => {
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [tableId, 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  test("the table's stream invokes functions only for new Changes", () => {
    const { Filters } = mapping.Properties.FilterCriteria as { Filters: { Pattern: string }[] };
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'CHANGE#' }] } } } },
    ]);
  });

  test("the table's stream is retried from the first failed record, in halves, for a day, and then sent to the dead-letter queue", () => {
    expect(mapping.Properties).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 86_400,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [queueId, 'Arn'] } } },
    });
    // Absent means for as long as the record exists.
    expect(mapping.Properties).not.toHaveProperty('MaximumRetryAttempts');
  });

  test("the table's stream has no batching window, so that a change is published immediately", () => {
    expect(mapping.Properties).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });
});

test('the bus is named auth-service, and is in the outputs', () => {
  expect(bus.Properties.Name).toBe('auth-service');
  expect(template.Outputs.EventBusName?.Value).toEqual({ Ref: busId });
});

test('the bus can replay the changes of a month', () => {
  const [, archive] = onlyResource(template, 'AWS::Events::Archive');
  expect(archive.Properties).toMatchObject({
    SourceArn: { 'Fn::GetAtt': [busId, 'Arn'] },
    EventPattern: { source: ['auth-service'] },
    RetentionDays: 30,
  });
});

test('the bus sends only unpublishable changes to the dead-letter queue', () => {
  const [rule, ...others] = rulesOf(template);
  expect(others).toEqual([]);
  expect(rule?.Properties).toMatchObject({
    EventBusName: { Ref: busId },
    EventPattern: { source: ['auth-service.publisher'] },
    Targets: [{ Arn: { 'Fn::GetAtt': [queueId, 'Arn'] } }],
  });
});

test('a dead-letter queue is encrypted, keeps messages for 14 days, and requires TLS', () => {
  const queues = resourcesOf(template, 'AWS::SQS::Queue');
  const policies = [...resourcesOf(template, 'AWS::SQS::QueuePolicy').values()];
  for (const [id, { Properties }] of queues) {
    expect(Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true });
    const policy = policies.find(({ Properties: { Queues } }) => JSON.stringify(Queues).includes(id));
    expect(JSON.stringify(policy)).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
  }
});

/** The rules of the bus; the canary's rule is a schedule. */
function rulesOf(stack: typeof template) {
  const all = [...resourcesOf(stack, 'AWS::Events::Rule').values()];
  return all.filter(({ Properties }) => Properties.EventBusName !== undefined);
}
