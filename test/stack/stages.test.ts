import { describe, expect, test } from '@jest/globals';
import { stages } from '../../lib/settings/stages.ts';
import { functionsOf, onlyResource, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const templates = await Promise.all(
  Object.keys(stages).map(async (name) => [name, await synthesizeTemplate({ stage: name })] as const),
);
const prod = await synthesizeTemplate({ stage: 'prod' });
const dev = await synthesizeTemplate();
const holdingData = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Cognito::UserPool'];

test('the default stage is dev', async () => {
  expect(dev).toEqual(await synthesizeTemplate({ stage: 'dev' }));
});

describe.each(templates)('%s', (name, template) => {
  const stage = stages[name as keyof typeof stages];

  test('every stage has its own name in logs and metrics, and in the alarms about them', () => {
    for (const fn of functionsOf(template).values()) {
      expect(fn.Properties.Environment).toMatchObject({ Variables: { POWERTOOLS_SERVICE_NAME: stage.serviceName } });
    }
    const alarms = JSON.stringify([...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()]);
    expect(alarms).toContain(`{"Name":"service","Value":"${stage.serviceName}"}`);
  });

  test('every stage keeps every log for its time', () => {
    const retentions = [...resourcesOf(template, 'AWS::Logs::LogGroup').values()].map(
      ({ Properties }) => Properties.RetentionInDays,
    );
    expect(new Set(retentions)).toEqual(new Set([stage.logRetention]));
  });

  test('every stage logs the line of each request', () => {
    for (const { Properties } of functionsOf(template).values()) {
      expect(Properties.LoggingConfig).toMatchObject({
        ApplicationLogLevel: expect.stringMatching(/^(?:DEBUG|INFO)$/),
      });
    }
  });

  test('every stage can be restored to any second', () => {
    const [, table] = onlyResource(template, 'AWS::DynamoDB::GlobalTable');
    const [replica] = table.Properties.Replicas as unknown[];
    expect(replica).toMatchObject({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  });
});

test.each(holdingData)('prod keeps its %s when the stack goes', (type) => {
  const [, resource] = onlyResource(prod, type);
  expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
});

test('prod has the keys named that DynamoDB throttles', () => {
  const [, table] = onlyResource(prod, 'AWS::DynamoDB::GlobalTable');
  const [replica] = table.Properties.Replicas as unknown[];
  expect(replica).toMatchObject({ ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' } });
});

test('prod tells of every alarm', () => {
  for (const { Properties } of resourcesOf(prod, 'AWS::CloudWatch::Alarm').values()) {
    expect(Properties.ActionsEnabled).toBe(true);
  }
});

test.each(holdingData)('dev leaves no %s behind', (type) => {
  const [, resource] = onlyResource(dev, type);
  expect(resource).toMatchObject({ DeletionPolicy: 'Delete' });
});

test('dev guards nothing against deletion', () => {
  const [, table] = onlyResource(dev, 'AWS::DynamoDB::GlobalTable');
  const [, key] = onlyResource(dev, 'AWS::KMS::Key');
  const [, pool] = onlyResource(dev, 'AWS::Cognito::UserPool');
  expect(table.Properties.Replicas).toMatchObject([{ DeletionProtectionEnabled: false }]);
  expect(pool.Properties.DeletionProtection).toBe('INACTIVE');
  expect(JSON.stringify(key)).not.toContain('NobodyRemoves');
  expect(key.Properties.PendingWindowInDays).toBe(7);
});

test('dev lets nobody but its functions use the root key either', () => {
  const [, key] = onlyResource(dev, 'AWS::KMS::Key');
  expect(JSON.stringify(key)).toContain('OnlyItsFunctionsUse');
});

test('dev tells nobody of alarms, unless an address is given', async () => {
  const actions = (template: typeof dev) =>
    new Set(
      [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].map(({ Properties }) => Properties.ActionsEnabled),
    );
  expect(actions(dev)).toEqual(new Set([false]));
  expect(actions(await synthesizeTemplate({ alarmEmail: 'ada@example.com' }))).toEqual(new Set([true]));
});
