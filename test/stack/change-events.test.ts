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
// Where nothing stands between the stream and the functions; canary-release.test.ts has the rest.
const mappings = [...resourcesOf(await synthesizeTemplate(), 'AWS::Lambda::EventSourceMapping').values()];

test("the table's stream is read by two functions, the most that may read one, each with a position of its own", () => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const readers = mappings.map(({ Properties }) => functions.get(referredId(Properties.FunctionName) ?? ''));
  expect(readers.map((fn) => fn && nameOf(fn))).toEqual(['publish-changes', 'write-history']);
});

describe.each(mappings)('a reader of the stream', (mapping) => {
  test("the table's stream is read from its beginning", () => {
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [tableId, 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  test("the table's stream costs an invocation only for Changes that are new", () => {
    const { Filters } = mapping.Properties.FilterCriteria as { Filters: { Pattern: string }[] };
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'CHANGE#' }] } } } },
    ]);
  });

  test("the table's stream is read again from the first record that failed, in halves, for a day, and then goes to the dead letters", () => {
    expect(mapping.Properties).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 86_400,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [queueId, 'Arn'] } } },
    });
    // Absent is for as long as the record lives.
    expect(mapping.Properties).not.toHaveProperty('MaximumRetryAttempts');
  });

  test("the table's stream has a window of no length, so that a change leaves at once", () => {
    expect(mapping.Properties).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });
});

test('the bus is called auth-service, and the outputs tell so', () => {
  expect(bus.Properties.Name).toBe('auth-service');
  expect(template.Outputs.EventBusName?.Value).toEqual({ Ref: busId });
});

test('the bus can send the changes of a month again', () => {
  const [, archive] = onlyResource(template, 'AWS::Events::Archive');
  expect(archive.Properties).toMatchObject({
    SourceArn: { 'Fn::GetAtt': [busId, 'Arn'] },
    EventPattern: { source: ['auth-service'] },
    RetentionDays: 30,
  });
});

test('the bus leads what can never be published to the dead letters, and nothing else anywhere', () => {
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
  test('a dead-letter queue is encrypted, keeps for 14 days, and takes nothing without TLS', () => {
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

test('a webhook is not there unless the context names it', () => {
  expect(resourcesOf(template, 'AWS::Events::ApiDestination').size).toBe(0);
});

test('a webhook gets every change by POST, no more a second than it may', () => {
  expect(destination.Properties).toMatchObject({
    ConnectionArn: { 'Fn::GetAtt': [connectionId, 'Arn'] },
    HttpMethod: 'POST',
    InvocationEndpoint: 'https://hooks.example.com/changes',
    InvocationRateLimitPerSecond: 10,
  });
  expect(rule?.Properties.EventPattern).toEqual({ source: ['auth-service'] });
});

test('a webhook is sent a secret that the template does not hold', () => {
  expect(connection.Properties.AuthParameters).toEqual({
    ApiKeyAuthParameters: {
      ApiKeyName: 'authorization',
      ApiKeyValue: '{{resolve:secretsmanager:auth-service/webhook:SecretString:::}}',
    },
  });
});

test('the outputs name what a rotation of the secret of a webhook changes', () => {
  expect(hooked.Outputs).toMatchObject({
    WebhookConnectionName: { Value: { Ref: connectionId } },
    WebhookSecretName: { Value: 'auth-service/webhook' },
  });
  expect(template.Outputs).not.toHaveProperty('WebhookConnectionName');
});

test('a webhook is tried for a day, and then there is a dead-letter queue of its own', () => {
  const [target] = Object(rule).Properties.Targets as { RetryPolicy: unknown; DeadLetterConfig: { Arn: unknown } }[];
  expect(target?.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 });
  const queues = [...resourcesOf(hooked, 'AWS::SQS::Queue').keys()];
  const own = referredId(target?.DeadLetterConfig.Arn);
  expect(queues).toHaveLength(2);
  expect(queues).toContain(own);
  const readers = [...resourcesOf(hooked, 'AWS::Lambda::EventSourceMapping').values()];
  expect(JSON.stringify(readers.map(({ Properties }) => Properties.DestinationConfig))).not.toContain(own);
});

/** Of the bus; that of the canary is a clock. */
function rulesOf(stack: typeof template) {
  const all = [...resourcesOf(stack, 'AWS::Events::Rule').values()];
  return all.filter(({ Properties }) => Properties.EventBusName !== undefined);
}
