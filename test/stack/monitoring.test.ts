import { describe, expect, test } from '@jest/globals';
import { manageOperations, serviceOperations } from '#shared/contract/operations.ts';
import {
  functionsOf,
  onlyResource,
  referredId,
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
  reservedConcurrency: '{"get-access":200,"manage":20}',
});
const [topicId] = onlyResource(template, 'AWS::SNS::Topic');
const alarms = alarmsOf(template);
const routes = Object.keys(serviceOperations);
/** All functions except the canary's, which has its own alarms. */
const functionNames = [...routes, 'refuse-unknown-route', 'manage', 'publish-changes', 'write-history'];
const names = [
  'server-errors',
  ...functionNames.map((name) => `function-errors-${name}`),
  ...functionNames.map((name) => `function-throttles-${name}`),
  'table-throttles',
  'signature-failures',
  'root-key-failures',
  'stream-age',
  'dead-letters',
  'canary-failures',
  'canary-silent',
  'canary-delay',
  ...routes.map((route) => `latency-${route}`),
  'latency-manage',
  ...routes.map((route) => `refusals-${route}`),
  'throttled-requests',
  'limited-applications',
  'concurrency',
  'index-throttles',
  'no-traffic',
];

test('there is an alarm for each kind of failure', () => {
  expect([...alarms.keys()]).toEqual(names);
  const more = ['webhook-dead-letters', 'reserved-concurrency-get-access', 'reserved-concurrency-manage'];
  expect([...alarmsOf(hooked).keys()].sort()).toEqual([...names, ...more].sort());
});

/** All numbers of the alarms, literally: an error in any of them would hide an outage or cause false alarms. */
test.each([
  ['server-errors', 'from 1 in 2 of 3 periods of 60 s', 'IF(requests >= 20, 100 * errors / requests, 0) of Sum'],
  ...functionNames.flatMap((name): [string, string, string][] => [
    [`function-errors-${name}`, 'from 1 in 2 of 5 periods of 60 s', 'Errors of Sum'],
    [`function-throttles-${name}`, 'from 1 in 1 of 1 periods of 300 s', 'Throttles of Sum'],
  ]),
  ['table-throttles', 'from 10 in 1 of 1 periods of 300 s', 'SUM(METRICS()) of Sum'],
  ['signature-failures', 'from 100 in 2 of 2 periods of 300 s', 'SignatureFailures of Sum'],
  ['root-key-failures', 'from 1 in 1 of 1 periods of 60 s', 'RootKeyFailures of Sum'],
  ['stream-age', 'from 60000 in 2 of 3 periods of 60 s', 'MAX(METRICS()) of Maximum'],
  ['dead-letters', 'from 1 in 1 of 1 periods of 300 s', 'ApproximateNumberOfMessagesVisible of Maximum'],
  ['canary-failures', 'from 1 in 2 of 3 periods of 60 s', 'CanaryFailures of Sum'],
  ['canary-silent', 'from 1 in 3 of 3 periods of 60 s', '0 * failures of Sum'],
  ['canary-delay', 'from 5000 in 3 of 5 periods of 60 s', 'CanaryBlockToFeedMilliseconds of Maximum'],
  ...routes.map((route): [string, string, string] => [
    `latency-${route}`,
    `from ${route === 'get-snapshot' ? 3000 : 1000} in 3 of 5 periods of 60 s`,
    'Duration of p99',
  ]),
  ['latency-manage', 'from 3000 in 3 of 5 periods of 60 s', 'MAX(METRICS()) of p99'],
  ...routes.map((route): [string, string, string] => [
    `refusals-${route}`,
    'from 50 in 2 of 2 periods of 300 s',
    'IF(requests >= 100, 100 * FILL(refusals, 0) / requests, 0) of Sum',
  ]),
  [
    'throttled-requests',
    'from 1 in 1 of 1 periods of 300 s',
    'IF(requests >= 100, 100 * refused / requests, 0),all4xx - FILL(unknown, 0) - FILL(answered, 0) of Sum',
  ],
  ['limited-applications', 'from 100 in 2 of 2 periods of 300 s', 'LimitedRequests of Sum'],
  ['concurrency', 'from 800 in 2 of 3 periods of 60 s', 'ConcurrentExecutions of Maximum'],
  ['reserved-concurrency-get-access', 'from 160 in 2 of 3 periods of 60 s', 'ConcurrentExecutions of Maximum'],
  ['reserved-concurrency-manage', 'from 16 in 2 of 3 periods of 60 s', 'ConcurrentExecutions of Maximum'],
  ['index-throttles', 'from 10 in 1 of 1 periods of 300 s', 'SUM(METRICS()) of Sum'],
  ['no-traffic', 'from 1 in 12 of 12 periods of 300 s', 'Count of Sum'],
  ['webhook-dead-letters', 'from 1 in 1 of 1 periods of 300 s', 'ApproximateNumberOfMessagesVisible of Maximum'],
])('the alarm %s goes off %s of %s', (name, when, what) => {
  const { Threshold, DatapointsToAlarm, EvaluationPeriods, ...properties } = propertiesOf(name);
  const { period, metric } = metricOf(properties);
  expect([`from ${Threshold} in ${DatapointsToAlarm} of ${EvaluationPeriods} periods of ${period} s`, metric]).toEqual([
    when,
    what,
  ]);
});

test('an alarm has the same threshold in every stage that notifies', async () => {
  const staging = alarmsOf(await synthesizeTemplate({ stage: 'staging' }), 'auth-service-staging-');
  expect([...staging].map(([name, { Properties }]) => [name, Properties.Threshold])).toEqual(
    // Staging may have no traffic, and has no separate quota.
    names.filter((name) => name !== 'no-traffic').map((name) => [name, alarms.get(name)?.Properties.Threshold]),
  );
});

describe.each([...alarmsOf(hooked)])('%s', (name, { Properties }) => {
  test('every alarm notifies the topic when it goes off and when it recovers', () => {
    expect(Properties).toMatchObject({ AlarmActions: [{ Ref: topicId }], OKActions: [{ Ref: topicId }] });
  });

  test('every alarm links to its section in the runbook', () => {
    expect(Properties.AlarmDescription).toMatch(
      new RegExp(`\\. What to do: docs/operate/runbook\\.md#${sectionOf(name)}$`),
    );
  });

  test('every alarm is OK without data, except those that detect missing data', () => {
    expect(Properties).toMatchObject({
      TreatMissingData: ['canary-silent', 'no-traffic'].includes(name) ? 'breaching' : 'notBreaching',
      ComparisonOperator: name === 'no-traffic' ? 'LessThanThreshold' : 'GreaterThanOrEqualToThreshold',
    });
    expect(Properties.Threshold).toBeGreaterThan(0);
  });

  test('every alarm stays within the limit of metrics', () => {
    const { Metrics = [] } = Properties as { Metrics?: { MetricStat?: unknown }[] };
    expect(Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length).toBeLessThanOrEqual(10);
  });
});

test('the alarms about functions watch each of them except the canary, which has its own, and the check of releases', () => {
  const ids = new Map([...resourcesOf(template, 'AWS::Lambda::Function')].map(([id, fn]) => [fn, id]));
  const watched = [...functionsOf(template)].filter(([name]) => functionNames.includes(name));
  expect(watched).toHaveLength(functionsOf(template).size - 3);
  for (const [name, fn] of watched) {
    for (const kind of ['function-errors', 'function-throttles']) {
      expect(alarms.get(`${kind}-${name}`)?.Properties).toMatchObject({
        Namespace: 'AWS/Lambda',
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: ids.get(fn) } }],
      });
    }
  }
});

test('the alarms about latency and refusals watch the function of their route', () => {
  for (const [name, fn] of functionsOf(template)) {
    const [id] = [...resourcesOf(template, 'AWS::Lambda::Function')].find(([, other]) => other === fn) ?? [];
    if (!routes.includes(name)) continue;
    expect(alarms.get(`latency-${name}`)?.Properties.Dimensions).toEqual([
      { Name: 'FunctionName', Value: { Ref: id } },
    ]);
    const refusals = JSON.stringify(alarms.get(`refusals-${name}`)?.Properties.Metrics);
    expect(refusals).toContain(
      `"Dimensions":[{"Name":"FunctionName","Value":{"Ref":"${id}"}}],"MetricName":"Invocations"`,
    );
    expect(refusals).toContain(`{"Name":"route","Value":"${name}"}`);
  }
});

test('the alarm about latency of the Management API watches pages, and excludes deletions', () => {
  const text = JSON.stringify(alarms.get('latency-manage')?.Properties.Metrics);
  const watched = Object.values(manageOperations).filter(({ name }) => text.includes(`"Value":"${name}"`));
  expect(watched.map(({ method }) => method)).toEqual(Array.from({ length: 10 }, () => 'GET'));
});

test('the alarms about the table and about its index watch one of them each', () => {
  const [table, index] = ['table-throttles', 'index-throttles'].map((name) =>
    JSON.stringify(alarms.get(name)?.Properties.Metrics),
  );
  expect(table).not.toContain('GlobalSecondaryIndexName');
  expect(index?.match(/"Name":"GlobalSecondaryIndexName","Value":"gsi1"/g)).toHaveLength(2);
});

test.each(['limited-applications', 'signature-failures'])(
  'the alarm %s watches the whole Service API, whatever the number of routes',
  (name) => {
    expect(alarms.get(name)?.Properties.Dimensions).toEqual([
      { Name: 'api', Value: 'service' },
      { Name: 'service', Value: 'auth-service' },
    ]);
  },
);

const [, policy] = onlyResource(template, 'AWS::SNS::TopicPolicy');
const { Statement } = policy.Properties.PolicyDocument as { Statement: Record<string, unknown>[] };

test("the topic accepts messages of this account's alarms, and only with TLS", () => {
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

test('the topic notifies only the address in the context', () => {
  expect(resourcesOf(template, 'AWS::SNS::Subscription').size).toBe(0);
  const [, subscription] = onlyResource(hooked, 'AWS::SNS::Subscription');
  expect(subscription.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'on-call@example.com' });
});

test("the dashboard shows each route's requests and durations from Lambda's metrics, because reads publish none", () => {
  const graphs = graphsOf(template);
  for (const [title, metric] of [
    ['Requests', 'Invocations'],
    ['Latency, p50 (ms)', 'Duration'],
    ['Latency, p99 (ms)', 'Duration'],
  ] as const) {
    const shown = graphs.find((graph) => graph.title === title)?.metrics ?? [];
    const functions = [...functionsOf(template)].filter(([name]) => name in serviceOperations);
    const ids = new Map([...resourcesOf(template, 'AWS::Lambda::Function')].map(([id, fn]) => [fn, id]));
    expect(shown.map(([namespace, name, , id, options]) => [namespace, name, id, options?.label])).toEqual(
      functions.map(([name, fn]) => ['AWS/Lambda', metric, ids.get(fn), name]),
    );
  }
});

test('the dashboard shows only metrics that the function of a route publishes', () => {
  const published = graphsOf(template).flatMap(({ metrics }) =>
    metrics.filter(([namespace]) => namespace === 'AuthService'),
  );
  const reads = Object.values(serviceOperations).filter(({ writes }) => !writes);
  const ofReads = published.filter((metric) => reads.some(({ name }) => metric.includes(name)));
  expect(new Set(ofReads.map(([, name]) => name))).toEqual(new Set(['SignatureFailures', 'Refusals', 'Errors']));
});

type GraphMetric = readonly [namespace: string, name: string, dimension: string, value: string, { label?: string }?];

/** Returns the graphs of the dashboard; references are replaced by the id of their resource. */
function graphsOf(stack: typeof template) {
  const [, { Properties }] = onlyResource(stack, 'AWS::CloudWatch::Dashboard');
  const [, parts] = Object(Properties.DashboardBody)['Fn::Join'];
  const text = parts.map((part: unknown) => (typeof part === 'string' ? part : referredId(part))).join('');
  const { widgets } = JSON.parse(text) as { widgets: { properties: { title: string; metrics: GraphMetric[] } }[] };
  return widgets.map(({ properties }) => properties);
}

test('the dashboard shows 429, 4xx by route, concurrency and the throttles of functions, table and index', () => {
  const [, dashboard] = onlyResource(template, 'AWS::CloudWatch::Dashboard');
  const text = JSON.stringify(dashboard.Properties.DashboardBody);
  for (const shown of ['429', '4xx', 'Concurrency', 'ConcurrentExecutions', 'Throttles', 'GlobalSecondaryIndexName']) {
    expect(text).toContain(shown);
  }
});

/** All routes and functions share one section for each kind of alarm. */
function sectionOf(name: string): string {
  if (name.startsWith('reserved-concurrency-')) return 'concurrency';
  return /^(?:latency|refusals|function-errors|function-throttles)(?=-)/.exec(name)?.[0] ?? name;
}

function alarmsOf(stack: typeof template, prefix = 'auth-service-'): Map<string, TemplateResource> {
  const found = [...resourcesOf(stack, 'AWS::CloudWatch::Alarm').values()];
  return new Map(found.map((alarm) => [String(alarm.Properties.AlarmName).replace(prefix, ''), alarm]));
}

interface AlarmProperties {
  readonly Threshold?: number;
  readonly DatapointsToAlarm?: number;
  readonly EvaluationPeriods?: number;
  readonly Period?: number;
  readonly MetricName?: string;
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly MetricStat?: { readonly Period: number; readonly Stat: string };
  }[];
}

function propertiesOf(name: string): AlarmProperties {
  return alarmsOf(hooked).get(name)?.Properties ?? {};
}

/** For an expression over several metrics, returns the periods and statistics that occur in them. */
function metricOf({ Period, MetricName, Statistic, ExtendedStatistic, Metrics }: AlarmProperties) {
  if (Metrics === undefined) return { period: Period, metric: `${MetricName} of ${Statistic ?? ExtendedStatistic}` };
  const expressions = Metrics.flatMap(({ Expression }) => Expression ?? []);
  const stats = Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
  const occurring = (values: readonly unknown[]) => [...new Set(values)].join();
  return {
    period: occurring(stats.map(({ Period: period }) => period)),
    metric: `${occurring(expressions)} of ${occurring(stats.map(({ Stat }) => Stat))}`,
  };
}
