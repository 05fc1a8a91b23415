import { describe, expect, test } from '@jest/globals';
import { stages } from '../../lib/settings/stages.ts';
import { functionsOf, onlyResource, resourcesOf, rootKeyOf, synthesizeTemplate } from './synthesized-stack.ts';

const templates = await Promise.all(
  Object.keys(stages).map(async (name) => [name, await synthesizeTemplate({ stage: name })] as const),
);
const prod = await synthesizeTemplate({ stage: 'prod' });
const dev = await synthesizeTemplate();
const holdingData = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Cognito::UserPool'];
const allOf = (template: typeof prod, type: string) => [...resourcesOf(template, type).values()];

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

  test('every stage has a retention for every log', () => {
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

test.each(holdingData)('prod retains its %s when the stack is deleted', (type) => {
  expect(allOf(prod, type).length).toBeGreaterThan(0);
  for (const resource of allOf(prod, type)) {
    expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  }
});

test('prod reports the keys that DynamoDB throttles', () => {
  const [, table] = onlyResource(prod, 'AWS::DynamoDB::GlobalTable');
  const [replica] = table.Properties.Replicas as unknown[];
  expect(replica).toMatchObject({ ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' } });
});

test('prod notifies of every alarm', () => {
  for (const { Properties } of resourcesOf(prod, 'AWS::CloudWatch::Alarm').values()) {
    expect(Properties.ActionsEnabled).toBe(true);
  }
});

test.each(holdingData)('dev leaves no %s behind', (type) => {
  expect(allOf(dev, type).length).toBeGreaterThan(0);
  for (const resource of allOf(dev, type)) expect(resource).toMatchObject({ DeletionPolicy: 'Delete' });
});

test('dev has no deletion protection', () => {
  const [, table] = onlyResource(dev, 'AWS::DynamoDB::GlobalTable');
  const [, key] = rootKeyOf(dev, 'k1');
  const [, pool] = onlyResource(dev, 'AWS::Cognito::UserPool');
  expect(table.Properties.Replicas).toMatchObject([{ DeletionProtectionEnabled: false }]);
  expect(pool.Properties.DeletionProtection).toBe('INACTIVE');
  expect(JSON.stringify(key)).not.toContain('DenyRemoval');
  expect(key.Properties.PendingWindowInDays).toBe(7);
});

test('dev also lets only its functions use the root key', () => {
  const [, key] = rootKeyOf(dev, 'k1');
  expect(JSON.stringify(key)).toContain('DenyUseOutsideFunctions');
});

test('dev sends no notification of alarms, unless an address is given', async () => {
  const actions = (template: typeof dev) =>
    new Set(
      [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].map(({ Properties }) => Properties.ActionsEnabled),
    );
  expect(actions(dev)).toEqual(new Set([false]));
  expect(actions(await synthesizeTemplate({ alarmEmail: 'ada@example.com' }))).toEqual(new Set([true]));
});
