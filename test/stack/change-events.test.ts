import { describe, expect, test } from '@jest/globals';
import { nameOf, onlyResource, referredId, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
const hooked = await synthesizeTemplate({
  webhookUrl: 'https://hooks.example.com/changes',
  webhookSecretName: 'auth-service/webhook',
});
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

describe.each([
  ['the dead-letter queue', template],
  ['the dead-letter queue of a webhook', hooked],
])('%s', (_, stack) => {
  test('a dead-letter queue is encrypted, keeps messages for 14 days, and requires TLS', () => {
    const queues = resourcesOf(stack, 'AWS::SQS::Queue');
    const policies = [...resourcesOf(stack, 'AWS::SQS::QueuePolicy').values()];
    for (const [id, { Properties }] of queues) {
      expect(Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true });
      const policy = policies.find(({ Properties: { Queues } }) => JSON.stringify(Queues).includes(id));
      expect(JSON.stringify(policy)).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
    }
  });
});

const [connectionId, connection] = onlyResource(hooked, 'AWS::Events::Connection');
const [destinationId, destination] = onlyResource(hooked, 'AWS::Events::ApiDestination');
const rules = rulesOf(hooked);
const rule = rules.find(({ Properties }) => JSON.stringify(Properties.Targets).includes(destinationId));

test('there is no webhook unless the context names one', () => {
  expect(resourcesOf(template, 'AWS::Events::ApiDestination').size).toBe(0);
});

test('a webhook receives every change by POST, within its rate limit', () => {
  expect(destination.Properties).toMatchObject({
    ConnectionArn: { 'Fn::GetAtt': [connectionId, 'Arn'] },
    HttpMethod: 'POST',
    InvocationEndpoint: 'https://hooks.example.com/changes',
    InvocationRateLimitPerSecond: 10,
  });
  expect(rule?.Properties.EventPattern).toEqual({ source: ['auth-service'] });
});

test('a webhook receives a secret that is not in the template', () => {
  expect(connection.Properties.AuthParameters).toEqual({
    ApiKeyAuthParameters: {
      ApiKeyName: 'authorization',
      ApiKeyValue: '{{resolve:secretsmanager:auth-service/webhook:SecretString:::}}',
    },
  });
});

test("the outputs name what a rotation of a webhook's secret changes", () => {
  expect(hooked.Outputs).toMatchObject({
    WebhookConnectionName: { Value: { Ref: connectionId } },
    WebhookSecretName: { Value: 'auth-service/webhook' },
  });
  expect(template.Outputs).not.toHaveProperty('WebhookConnectionName');
});

test('a webhook is retried for a day, and has its own dead-letter queue', () => {
  const [target] = Object(rule).Properties.Targets as { RetryPolicy: unknown; DeadLetterConfig: { Arn: unknown } }[];
  expect(target?.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 });
  const queues = [...resourcesOf(hooked, 'AWS::SQS::Queue').keys()];
  const own = referredId(target?.DeadLetterConfig.Arn);
  expect(queues).toHaveLength(2);
  expect(queues).toContain(own);
  const readers = [...resourcesOf(hooked, 'AWS::Lambda::EventSourceMapping').values()];
  expect(JSON.stringify(readers.map(({ Properties }) => Properties.DestinationConfig))).not.toContain(own);
});

/** The rules of the bus; the canary's rule is a schedule. */
function rulesOf(stack: typeof template) {
  const all = [...resourcesOf(stack, 'AWS::Events::Rule').values()];
  return all.filter(({ Properties }) => Properties.EventBusName !== undefined);
}
