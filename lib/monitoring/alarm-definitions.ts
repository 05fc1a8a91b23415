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
  /** Whether it fires below that value instead, and also without data. Default: false. */
  readonly isMinimum?: boolean;
  /** How many datapoints must reach the threshold, out of how many periods, such as `[2, 3]`. Default: one of one. */
  readonly datapoints?: readonly [datapoints: number, periods: number];
  /**
   * Whether it rolls back every release, or the function whose release it rolls back: for problems that a release can cause
   * and that show within its five minutes. A deployment watches at most ten alarms.
   */
  readonly rollsBack?: boolean | EndpointFunction;
  /** Whether it also fires without data. Default: missing data does not breach the threshold. */
  readonly firesWithoutData?: true;
}

/** All alarms. One failed request must not fire an alarm; one lost change must. */
export function alarmDefinitions(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, changeEvents, table, canary } = resources;
  const { webhook } = changeEvents;
  return [
    {
      name: 'server-errors',
      description: 'At least 1% of requests get a 5xx response, with 20 or more requests per minute.',
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
      description: 'DynamoDB is throttling the table.',
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
      description: 'KMS fails to compute the root key, so new environments cannot verify signatures.',
      metric: serviceMetric(stage, 'RootKeyFailures', {}, { period: oneMinute }),
      threshold: 1,
      rollsBack: true,
    },
    {
      name: 'stream-age',
      description: 'Changes have waited more than a minute to be published or added to the global history.',
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
      description: 'A change could not be published or added to the global history.',
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
 * Alarms for each function, as Lambda counts: a function that crashes or is throttled cannot count that itself. An alarm takes
 * at most ten metrics, and costs as much as ten alarms then. Each rolls back only its own function's release, except those of
 * the stream's readers, which read what all the others write and have no `server-errors` to cover them.
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
        description: `Lambda is throttling invocations of ${fn.name}: a concurrency limit has been reached.`,
        metric: fn.function.metricThrottles({ period: fiveMinutes }),
        threshold: 1,
      }),
    ),
  ];
}

/** Only the second fires without data: the first rolls releases back, and there is no data before the canary's first run. */
function canaryAlarms(stage: Stage): AlarmDefinition[] {
  const failures = serviceMetric(stage, 'CanaryFailures', {}, { period: oneMinute });
  const expression = '0 * failures';
  return [
    {
      name: 'canary-failures',
      description: 'The canary, which calls the service as an application every minute, gets wrong responses or none.',
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
      description: 'A block takes 5 seconds or longer to reach the feed.',
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
