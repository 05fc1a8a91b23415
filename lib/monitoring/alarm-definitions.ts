import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { Stage } from '../settings/stages.ts';
import {
  apiMetric,
  fiveMinutes,
  functionsOf,
  iteratorAge,
  type MonitoredResources,
  oneMinute,
  queueDepth,
  serviceApiMetric,
  serviceMetric,
  sumOf,
  tableMetric,
} from './monitored-metrics.ts';

/** A condition that needs a person's attention. */
export interface AlarmDefinition {
  readonly name: string;
  /** The heading of its section in `docs/operate/runbook.md`. Default: its name. */
  readonly section?: string;
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm fires at this value or above. */
  readonly threshold: number;
  /** Whether it fires below that value instead, and where there is none at all. Default: no. */
  readonly isMinimum?: boolean;
  /** Datapoints that must reach the threshold, out of how many periods, such as `[2, 3]`. Default: one of one. */
  readonly datapoints?: readonly [datapoints: number, periods: number];
  /**
   * Whether it rolls a release back, or the function whose release it rolls back: for what a release can cause and what shows
   * within its five minutes. A deployment looks at ten alarms at most.
   */
  readonly rollsBack?: boolean | EndpointFunction;
  /** Whether it also fires when nothing was measured. Default: nothing measured is nothing wrong. */
  readonly firesWithoutData?: true;
}

/** All alarms. One failed request must not fire an alarm; one lost change must. */
export function alarmDefinitions(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, changeEvents, table, canary } = resources;
  const { webhook } = changeEvents;
  return [
    {
      name: 'server-errors',
      description: 'At least 1 % of the requests, out of 20 or more per minute, are answered with 5xx.',
      metric: new MathExpression({
        expression: 'IF(requests >= 20, 100 * errors / requests, 0)',
        usingMetrics: {
          errors: apiMetric(resources, '5xx', oneMinute),
          requests: apiMetric(resources, 'Count', oneMinute),
        },
        label: '5xx, percent',
        period: oneMinute,
      }),
      threshold: 1,
      datapoints: [2, 3],
      rollsBack: true,
    },
    ...functionAlarms(resources),
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
      metric: serviceApiMetric(stage, 'SignatureFailures'),
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
      description: 'Changes have waited for more than a minute to be published, or to be in the global history.',
      metric: new MathExpression({
        expression: 'MAX(METRICS())',
        usingMetrics: {
          publisher: iteratorAge(changeEvents.publisher, oneMinute),
          historyWriter: iteratorAge(changeEvents.historyWriter, oneMinute),
        },
        label: 'IteratorAge',
        period: oneMinute,
      }),
      threshold: 60_000,
      datapoints: [2, 3],
      rollsBack: true,
    },
    {
      name: 'dead-letters',
      description: 'A change could not be published, or not be added to the global history.',
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

/**
 * Of each function by itself, as Lambda counts them: what crashes or is throttled cannot count itself, and an alarm takes ten
 * metrics at most, which all cost the same together. A release of another function is not rolled back for it but for those of
 * the stream's readers, which read what all others write, and behind which no `server-errors` stand.
 */
function functionAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const functions = functionsOf(resources);
  const { publisher, historyWriter } = resources.changeEvents;
  return [
    ...functions.map(
      (fn): AlarmDefinition => ({
        name: `function-errors-${fn.name}`,
        section: 'function-errors',
        description: `The function ${fn.name} crashes or times out.`,
        metric: fn.function.metricErrors({ period: oneMinute }),
        threshold: 1,
        datapoints: [2, 5],
        rollsBack: fn === publisher || fn === historyWriter || fn,
      }),
    ),
    ...functions.map(
      (fn): AlarmDefinition => ({
        name: `function-throttles-${fn.name}`,
        section: 'function-throttles',
        description: `Lambda throttles invocations of ${fn.name}: the concurrency limit is reached.`,
        metric: fn.function.metricThrottles({ period: fiveMinutes }),
        threshold: 1,
      }),
    ),
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
