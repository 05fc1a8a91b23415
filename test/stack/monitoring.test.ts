import { describe, expect, test } from '@jest/globals';
import { serviceRoutes } from '#shared/contract/routes.ts';
import {
  functionsOf,
  onlyResource,
  resourcesOf,
  synthesizeTemplate,
  type TemplateResource,
} from './synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
const hooked = await synthesizeTemplate({
  stage: 'prod',
  webhookUrl: 'https://hooks.example.com/changes',
  webhookSecretName: 'auth-service/webhook',
  alarmEmail: 'on-call@example.com',
});
const [topicId] = onlyResource(template, 'AWS::SNS::Topic');
const alarms = alarmsOf(template);
const names = [
  'server-errors',
  'latency',
  'function-errors',
  'function-throttles',
  'table-throttles',
  'signature-failures',
  'root-key-failures',
  'stream-age',
  'dead-letters',
];

test('there is an alarm for each thing that can go wrong', () => {
  expect([...alarms.keys()]).toEqual(names);
  expect([...alarmsOf(hooked).keys()]).toEqual([...names, 'webhook-dead-letters']);
});

describe.each([...alarmsOf(hooked)])('the alarm %s', (name, { Properties }) => {
  test('tells the topic when it begins and when it ends', () => {
    expect(Properties).toMatchObject({ AlarmActions: [{ Ref: topicId }], OKActions: [{ Ref: topicId }] });
  });

  test('leads to its section in the runbook', () => {
    expect(Properties.AlarmDescription).toMatch(new RegExp(`\\. What to do: docs/runbook\\.md#${name}$`));
  });

  test('is quiet when nothing happens', () => {
    expect(Properties).toMatchObject({
      TreatMissingData: 'notBreaching',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
    expect(Properties.Threshold).toBeGreaterThan(0);
  });

  test('looks at no more metrics than an alarm may', () => {
    const { Metrics = [] } = Properties as { Metrics?: { MetricStat?: unknown }[] };
    expect(Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length).toBeLessThanOrEqual(10);
  });
});

test('the alarms about functions watch each of them', () => {
  for (const name of ['function-errors', 'function-throttles']) {
    const text = JSON.stringify(alarms.get(name)?.Properties.Metrics);
    const watched = [...resourcesOf(template, 'AWS::Lambda::Function').keys()].filter((id) => text.includes(`"${id}"`));
    expect(watched).toHaveLength(functionsOf(template).size);
  }
});

test('the alarm about signatures watches each route', () => {
  const text = JSON.stringify(alarms.get('signature-failures')?.Properties.Metrics);
  for (const route of Object.keys(serviceRoutes)) expect(text).toContain(`"Value":"${route}"`);
});

describe('the topic', () => {
  const [, policy] = onlyResource(template, 'AWS::SNS::TopicPolicy');
  const { Statement } = policy.Properties.PolicyDocument as { Statement: Record<string, unknown>[] };

  test("takes what this account's alarms publish, and nothing without TLS", () => {
    expect(Statement).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        }),
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]),
    );
  });

  test('tells whom the context names, else nobody', () => {
    expect(resourcesOf(template, 'AWS::SNS::Subscription').size).toBe(0);
    const [, subscription] = onlyResource(hooked, 'AWS::SNS::Subscription');
    expect(subscription.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'on-call@example.com' });
  });
});

test('the dashboard shows each route', () => {
  const [, dashboard] = onlyResource(template, 'AWS::CloudWatch::Dashboard');
  const text = JSON.stringify(dashboard.Properties.DashboardBody);
  for (const route of Object.keys(serviceRoutes)) expect(text).toContain(route);
});

function alarmsOf(stack: typeof template): Map<string, TemplateResource> {
  const found = [...resourcesOf(stack, 'AWS::CloudWatch::Alarm').values()];
  return new Map(found.map((alarm) => [String(alarm.Properties.AlarmName).replace('auth-service-', ''), alarm]));
}
