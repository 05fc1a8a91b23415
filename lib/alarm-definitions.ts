import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { serviceOperations } from '#shared/contract/operations.ts';
import {
  fiveMinutes,
  functionsOf,
  type MonitoredResources,
  oneMinute,
  queueDepth,
  serviceMetric,
  sumOf,
  tableMetric,
} from './monitored-metrics.ts';
import type { Stage } from './stages.ts';

/** A condition that needs a person's attention. */
export interface AlarmDefinition {
  /** Also the heading of its section in `docs/runbook.md`. */
  readonly name: string;
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm fires at this value or above. */
  readonly threshold: number;
  /** Datapoints that must reach the threshold, out of how many periods, such as `[2, 3]`. Default: one of one. */
  readonly datapoints?: readonly [datapoints: number, periods: number];
  /** Whether it rolls a release back: for what a release can cause and what shows within its five minutes. */
  readonly rollsBack?: boolean;
  /** Whether it also fires when nothing was measured. Default: nothing measured is nothing wrong. */
  readonly firesWithoutData?: true;
}

/** All alarms. One failed request must not fire an alarm; one lost change must. */
export function alarmDefinitions(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, serviceApi, changeEvents, table, canary } = resources;
  const functions = functionsOf(resources);
  const api = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      statistic,
      period: oneMinute,
      dimensionsMap: { ApiId: serviceApi.httpApi.apiId },
    });
  const { webhook } = changeEvents;
  return [
    {
      name: 'server-errors',
      description: 'At least 1 % of the requests, out of 20 or more per minute, are answered with 5xx.',
      metric: new MathExpression({
        expression: 'IF(requests >= 20, 100 * errors / requests, 0)',
        usingMetrics: { errors: api('5xx', Stats.SUM), requests: api('Count', Stats.SUM) },
        label: '5xx, percent',
        period: oneMinute,
      }),
      threshold: 1,
      datapoints: [2, 3],
      rollsBack: true,
    },
    {
      name: 'latency',
      description: 'The slowest 1 % of the requests take a second or longer.',
      metric: api('Latency', Stats.p(99)),
      threshold: 1000,
      datapoints: [3, 5],
      rollsBack: true,
    },
    {
      name: 'function-errors',
      description: 'Functions crash or time out.',
      metric: sumOf(
        functions.map(({ function: fn }) => fn.metricErrors({ period: oneMinute })),
        'Errors',
        oneMinute,
      ),
      threshold: 1,
      datapoints: [2, 5],
      rollsBack: true,
    },
    {
      name: 'function-throttles',
      description: 'Lambda throttles invocations: the concurrency limit is reached.',
      metric: sumOf(
        functions.map(({ function: fn }) => fn.metricThrottles({ period: fiveMinutes })),
        'Throttles',
      ),
      threshold: 1,
    },
    {
      name: 'table-throttles',
      description: 'DynamoDB throttles the table.',
      metric: sumOf(
        ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table, name)),
        'Throttles',
      ),
      threshold: 10,
    },
    {
      name: 'signature-failures',
      description: 'Many requests fail with 401: a client is broken, or someone is guessing signatures.',
      metric: sumOf(
        Object.keys(serviceOperations).map((route) => serviceMetric(stage, 'SignatureFailures', { route })),
        'Signature failures',
      ),
      threshold: 100,
      datapoints: [2, 2],
    },
    {
      name: 'root-key-failures',
      description: 'KMS does not compute the root key, so new instances cannot verify signatures.',
      metric: serviceMetric(stage, 'RootKeyFailures', {}, { period: oneMinute }),
      threshold: 1,
      rollsBack: true,
    },
    {
      name: 'stream-age',
      description: 'Changes have waited for more than a minute to be published.',
      metric: changeEvents.publisher.function.metric('IteratorAge', {
        statistic: Stats.MAXIMUM,
        period: oneMinute,
      }),
      threshold: 60_000,
      datapoints: [2, 3],
      rollsBack: true,
    },
    {
      name: 'dead-letters',
      description: 'A change could not be published.',
      metric: queueDepth(changeEvents.deadLetters),
      threshold: 1,
    },
    ...(canary === undefined ? [] : canaryAlarms(stage)),
    ...(webhook === undefined
      ? []
      : [
          {
            name: 'webhook-dead-letters',
            description: 'The webhook has not accepted an event for a day.',
            metric: queueDepth(webhook.deadLetters),
            threshold: 1,
          },
        ]),
  ];
}

/** The second one fires without data alone: the first rolls releases back, and there is none before the canary's first run. */
function canaryAlarms(stage: Stage): AlarmDefinition[] {
  const failures = serviceMetric(stage, 'CanaryFailures', {}, { period: oneMinute });
  const expression = '0 * failures';
  return [
    {
      name: 'canary-failures',
      description: 'The canary, which calls the service as an application each minute, gets wrong answers or none.',
      metric: failures,
      threshold: 1,
      datapoints: [2, 3],
      rollsBack: true,
    },
    {
      name: 'canary-silent',
      description: 'The canary has not run for three minutes.',
      metric: new MathExpression({ expression, usingMetrics: { failures }, label: 'Silence', period: oneMinute }),
      threshold: 1,
      datapoints: [3, 3],
      firesWithoutData: true,
    },
    {
      name: 'canary-delay',
      description: 'A block is in the feed only 5 seconds later.',
      metric: serviceMetric(
        stage,
        'CanaryBlockToFeedMilliseconds',
        {},
        { statistic: Stats.MAXIMUM, period: oneMinute },
      ),
      threshold: 5000,
      datapoints: [3, 5],
    },
  ];
}
