import { describe, expect, test } from '@jest/globals';
import { manageOperations } from '#shared/contract/operations.ts';
import { everyEndpoint, webhookEndpoints } from '../support/service-endpoints.ts';
import { type Condition, conditionsOf } from './alarms/conditions.ts';
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
  webhooks: 'standard,set',
  alarmEmail: 'on-call@example.com',
  headsBucket: 'authservice-backupvault-heads',
  reservedConcurrency: '{"get-access":200,"manage":20}',
});
const [topicId] = onlyResource(template, 'AWS::SNS::Topic');
const alarms = alarmsOf(template);
const conditions = conditionsOf(template);
const routes = everyEndpoint.map(({ name }): string => name);
/** All functions except the canary's, which has its own alarms. */
const functionNames = [...routes, 'refuse-unknown-route', 'manage', 'publish-changes', 'number-changes'];
const names = [
  ...functionNames.map((name) => `errors-${name}`),
  ...functionNames.map((name) => `function-throttles-${name}`),
  'table-throttles',
  'signature-failures',
  'root-key-failures',
  'stream-age',
  'dead-letters',
  'pending-changes',
  'canary-failures',
  'canary-silent',
  'canary-delay',
  'events-stopped',
  'numbers-stopped',
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
  expect([...conditions.keys()].sort()).toEqual([...names].sort());
  const more = [
    'heads-unsigned',
    'webhook-turned-off',
    // Those that an application calls when it starts have no alarms of their own on latency and refusals.
    ...['deliver-webhook', 'wake-webhooks', ...webhookEndpoints.map(({ name }) => name)].flatMap((name) => [
      `errors-${name}`,
      `function-throttles-${name}`,
    ]),
    'reserved-concurrency-get-access',
    'reserved-concurrency-manage',
  ];
  expect([...conditionsOf(hooked).keys()].sort()).toEqual([...names, ...more].sort());
});

const answering = [...routes, 'manage'];
const share = (atLeast: number, ...counted: string[]) => {
  const all = `SUM([requests, ${counted.join(', ')}])`;
  return `100 * SUM([${counted.join(', ')}]) / IF(${all} >= ${atLeast}, ${all}, ${atLeast}) of Sum`;
};

/** All numbers of the alarms, literally: an error in any of them would hide an outage or cause false alarms. */
test.each([
  ...functionNames.flatMap((name): [string, string, string][] => [
    [
      `errors-${name}`,
      'from 1 in 2 of 5 periods of 60 s',
      share(100, 'counted0', ...(answering.includes(name) ? ['counted1'] : [])),
    ],
    [`function-throttles-${name}`, 'from 0.1 in 1 of 1 periods of 300 s', share(1000, 'counted0')],
  ]),
  ['table-throttles', 'from 0.01 in 1 of 1 periods of 300 s', share(100_000, 'counted0', 'counted1')],
  ['signature-failures', 'from 1 in 2 of 2 periods of 300 s', share(10_000, 'counted0')],
  ['root-key-failures', 'from 1 in 2 of 5 periods of 60 s', 'RootKeyFailures of Sum'],
  ['stream-age', 'from 60000 in 2 of 3 periods of 60 s', 'MAX(METRICS()) of Maximum'],
  ['dead-letters', 'from 1 in 1 of 1 periods of 300 s', 'ApproximateNumberOfMessagesVisible of Maximum'],
  ['pending-changes', 'from 1 in 3 of 5 periods of 60 s', 'OldPendingChanges of Sum'],
  ['canary-failures', 'from 1 in 2 of 3 periods of 60 s', 'CanaryFailures of Sum'],
  ['canary-silent', 'from 1 in 3 of 3 periods of 60 s', 'FILL(runs, 0) of SampleCount'],
  ['canary-delay', 'from 5000 in 3 of 5 periods of 60 s', 'CanaryBlockToFeedMilliseconds of Maximum'],
  ...['events-stopped', 'numbers-stopped'].map((name): [string, string, string] => [
    name,
    'from 1 in 3 of 3 periods of 60 s',
    'IF(FILL(failures, 1) >= 1, 1, FILL(arrived, 0)) of Sum',
  ]),
  ...routes.map((route): [string, string, string] => [
    `latency-${route}`,
    `from ${route === 'get-snapshot' ? 3000 : 1000} in 3 of 5 periods of 60 s`,
    'Duration of p99',
  ]),
  ['latency-manage', 'from 3000 in 3 of 5 periods of 60 s', 'MAX(METRICS()) of p99'],
  ...routes.map((route): [string, string, string] => [
    `refusals-${route}`,
    'from 33 in 2 of 2 periods of 300 s',
    share(150, 'counted0'),
  ]),
  [
    'throttled-requests',
    'from 1 in 2 of 2 periods of 300 s',
    '100 * refused / IF(requests >= 1000, requests, 1000) of Sum',
  ],
  ['limited-applications', 'from 1 in 2 of 2 periods of 300 s', share(10_000, 'counted0')],
  ['concurrency', 'from 800 in 2 of 3 periods of 60 s', 'ConcurrentExecutions of Maximum'],
  ['reserved-concurrency-get-access', 'from 80 in 2 of 3 periods of 60 s', '100 * used / 200 of Maximum'],
  ['reserved-concurrency-manage', 'from 80 in 2 of 3 periods of 60 s', '100 * used / 20 of Maximum'],
  [
    'index-throttles',
    'from 0.01 in 1 of 1 periods of 300 s',
    share(100_000, 'counted0', 'counted1', 'counted2', 'counted3'),
  ],
  ['no-traffic', 'from 2 in 11 of 12 periods of 300 s', '2 * requests - SUM([requests, canary]) of Sum'],
  ['heads-unsigned', 'from 1 in 5 of 5 periods of 21600 s', 'FILL(runs, 0) of SampleCount'],
  ['webhook-turned-off', 'from 1 in 1 of 1 periods of 300 s', 'WebhooksTurnedOff of Sum'],
])('the alarm %s goes off %s of %s', (name, when, what) => {
  const { properties, ...condition } = required(conditionsOf(hooked).get(name));
  const { Threshold, DatapointsToAlarm, EvaluationPeriods } = properties;
  const { period, metric } = metricOf(condition);
  expect([`from ${Threshold} in ${DatapointsToAlarm} of ${EvaluationPeriods} periods of ${period} s`, metric]).toEqual([
    when,
    what,
  ]);
});

test('an alarm has the same threshold in every stage that notifies', async () => {
  const staging = conditionsOf(await synthesizeTemplate({ stage: 'staging' }), 'auth-service-staging-');
  const thresholds = [...staging].map(([name, { properties }]) => [name, properties.Threshold]);
  // Staging may have no traffic, and has no separate quota.
  const expected = [...conditions].filter(([name]) => name !== 'no-traffic');
  expect(thresholds).toEqual(expected.map(([name, { properties }]) => [name, properties.Threshold]));
});

const aboutSilence = ['canary-silent', 'heads-unsigned', 'no-traffic', 'events-stopped', 'numbers-stopped'];

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
      TreatMissingData: aboutSilence.includes(name) ? 'breaching' : 'notBreaching',
      ComparisonOperator: aboutSilence.includes(name) ? 'LessThanThreshold' : 'GreaterThanOrEqualToThreshold',
    });
    expect(Properties.Threshold).toBeGreaterThan(0);
  });

  test('every alarm stays within the limit of metrics', () => {
    const { Metrics = [] } = Properties as { Metrics?: { MetricStat?: unknown }[] };
    expect(Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length).toBeLessThanOrEqual(10);
  });
});

test('the alarms about functions watch each of them except the canary, which has its own, and those of deployments', () => {
  const ids = new Map([...resourcesOf(template, 'AWS::Lambda::Function')].map(([id, fn]) => [fn, id]));
  const watched = [...functionsOf(template)].filter(([name]) => functionNames.includes(name));
  expect(watched).toHaveLength(functionsOf(template).size - 4);
  for (const [name, fn] of watched) {
    const [errors, throttles] = ['errors', 'function-throttles'].map((kind) =>
      JSON.stringify(conditions.get(`${kind}-${name}`)?.metrics),
    );
    const ofFunction = `{"Name":"FunctionName","Value":{"Ref":"${ids.get(fn)}"}}`;
    // Of the alias only: the check of a release invokes a version that has no callers yet.
    const ofAlias = `{"Name":"Resource","Value":{"Fn::Join":["",[{"Ref":"${ids.get(fn)}"},":live"]]}}`;
    expect(errors?.split(ofFunction)).toHaveLength(3);
    expect(errors?.split(ofAlias)).toHaveLength(3);
    expect(throttles?.split(`"Dimensions":[${ofFunction}]`)).toHaveLength(3);
  }
});

test('the alarms about latency and refusals watch the function of their route', () => {
  for (const [name, fn] of functionsOf(template)) {
    const [id] = [...resourcesOf(template, 'AWS::Lambda::Function')].find(([, other]) => other === fn) ?? [];
    if (!routes.includes(name)) continue;
    expect(conditions.get(`latency-${name}`)?.metrics.map(({ Metric }) => Metric.Dimensions)).toEqual([
      [{ Name: 'FunctionName', Value: { Ref: id } }],
    ]);
    const refusals = JSON.stringify(conditions.get(`refusals-${name}`)?.metrics);
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

test('the alarms about the table and about its indexes watch one or the other', () => {
  const [table, index] = ['table-throttles', 'index-throttles'].map((name) =>
    JSON.stringify(alarms.get(name)?.Properties.Metrics),
  );
  expect(table).not.toContain('GlobalSecondaryIndexName');
  for (const name of ['gsi1', 'gsi2']) {
    expect(index?.split(`"Name":"GlobalSecondaryIndexName","Value":"${name}"`)).toHaveLength(3);
  }
});

test.each(['limited-applications', 'signature-failures'])(
  'the alarm %s watches the whole Service API, whatever the number of routes',
  (name) => {
    const dimensions = '"Dimensions":[{"Name":"api","Value":"service"},{"Name":"service","Value":"auth-service"}]';
    expect(JSON.stringify(alarms.get(name)?.Properties.Metrics)).toContain(dimensions);
  },
);

test('the alarm about concurrency compares with the quota of the account, if the deployment knows it', async () => {
  const small = alarmsOf(await synthesizeTemplate({ stage: 'prod', 'auth-service:account-concurrency': '50' }));
  expect(small.get('concurrency')?.Properties).toMatchObject({
    Threshold: 40,
    AlarmDescription: expect.stringContaining('its quota of 50 concurrent executions'),
  });
});

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
    const functions = [...functionsOf(template)].filter(([name]) => routes.includes(name));
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
  const reads = everyEndpoint.filter(({ writes }) => !writes);
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
  if (name.startsWith('reserved-concurrency')) return 'concurrency';
  if (name === 'numbers-stopped') return 'events-stopped';
  return /^(?:latency|refusals|errors|function-throttles)(?=-|$)/.exec(name)?.[0] ?? name;
}

function alarmsOf(stack: typeof template, prefix = 'auth-service-'): Map<string, TemplateResource> {
  const found = [...resourcesOf(stack, 'AWS::CloudWatch::Alarm').values()];
  return new Map(found.map((alarm) => [String(alarm.Properties.AlarmName).replace(prefix, ''), alarm]));
}

function required(condition: Condition | undefined): Condition {
  if (condition === undefined) throw new Error('No alarm watches it');
  return condition;
}

/** Returns the periods and statistics of the metrics, and the expression without what makes its ids unique in an alarm. */
function metricOf({ expression, metrics }: Pick<Condition, 'expression' | 'metrics'>) {
  const occurring = (values: readonly unknown[]) => [...new Set(values)].join();
  const text = expression.replaceAll(/\b(counted\d|requests)of\d+\b/g, '$1').replaceAll(/\bused\d+\b/g, 'used');
  return {
    period: occurring(metrics.map(({ Period: period }) => period)),
    metric: `${text} of ${occurring(metrics.map(({ Stat }) => Stat))}`,
  };
}
