import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import { bearerEndpoints } from '../options/endpoint-sets.ts';
import type { Stage } from '../settings/stages.ts';
import {
  apiMetricOf,
  fiveMinutes,
  functionsOf,
  iteratorAge,
  type MonitoredResources,
  ofManyRequests,
  ofRequests,
  oneMinute,
  percentOf,
  queueDepth,
  serviceMetric,
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
  /** Whether it fires below that value instead. Default: false. */
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

/**
 * All alarms. One failed request must not fire an alarm; one lost change must. Those that count events are shares of the
 * requests, so that they mean the same at one request a minute and at thousands a second.
 */
export function alarmDefinitions(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, changeEvents, table, canary, webhooks, headSigning } = resources;
  return [
    ...functionAlarms(resources),
    {
      name: 'table-throttles',
      description: 'DynamoDB is throttling the table: ten times in five minutes, or once for ten thousand requests.',
      metric: percentOf({
        counted: ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table, name)),
        ...ofManyRequests(resources),
        label: 'Throttles, percent',
      }),
      threshold: 0.01,
    },
    {
      name: 'signature-failures',
      description:
        '100 requests in five minutes, and at least 1% of all, fail with 401: clients are broken, or someone is guessing signatures.',
      metric: percentOf({
        counted: [apiMetricOf('service', stage, 'SignatureFailures')],
        ...ofRequests(resources),
        label: '401, percent',
      }),
      threshold: 1,
      datapoints: [2, 2],
    },
    {
      name: 'root-key-failures',
      description: 'KMS fails to compute the root key, so new environments cannot verify signatures.',
      metric: serviceMetric(stage, 'RootKeyFailures', {}, { period: oneMinute }),
      threshold: 1,
      datapoints: [2, 5],
      rollsBack: true,
    },
    {
      name: 'stream-age',
      description: 'Changes have waited more than a minute to be published or numbered.',
      metric: new MathExpression({
        expression: 'MAX(METRICS())',
        usingMetrics: {
          publisher: iteratorAge(changeEvents.publisher, oneMinute),
          numberer: iteratorAge(changeEvents.numberer, oneMinute),
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
      description: 'A change could not be published or numbered.',
      metric: queueDepth(changeEvents.deadLetters),
      threshold: 1,
    },
    {
      name: 'pending-changes',
      description:
        'Followers have seen changes that have no number a minute after they were made. They get them repeatedly.',
      metric: serviceMetric(stage, 'OldPendingChanges', {}, { period: oneMinute }),
      threshold: 1,
      datapoints: [3, 5],
    },
    ...(canary === undefined ? [] : canaryAlarms(stage)),
    // Where a Region stands by, its canary's changes are published and numbered in the other one.
    ...(canary === undefined || !changeEvents.readsStream ? [] : stoppedAlarms(resources)),
    ...(headSigning === undefined ? [] : [headsAlarm(stage)]),
    ...(webhooks === undefined ? [] : [webhookAlarm(stage)]),
  ];
}

/**
 * Alarms for each function: of its failures, those that it answers and those that only Lambda counts, because a function that
 * crashes or is throttled cannot. In a total, the other routes would hide one that fails. Each rolls back only its own
 * function's release, except those of the stream's readers, which read what all the others write.
 */
function functionAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const functions = functionsOf(resources);
  const { publisher, numberer } = resources.changeEvents;
  return [
    ...functions.map(
      (fn): AlarmDefinition => ({
        name: `errors-${fn.name}`,
        section: 'errors',
        description: `In two of five minutes, ${fn.name} fails at least once and in 1% of its invocations: it answers 5xx, crashes or times out.`,
        metric: failures(resources, fn),
        threshold: 1,
        datapoints: [2, 5],
        rollsBack: fn === publisher || fn === numberer || fn,
      }),
    ),
    ...functions.map(
      (fn): AlarmDefinition => ({
        name: `function-throttles-${fn.name}`,
        section: 'function-throttles',
        description: `Lambda is throttling ${fn.name}: once in five minutes, and one of a thousand invocations. A concurrency limit has been reached.`,
        metric: percentOf({
          counted: [fn.function.metricThrottles({ period: fiveMinutes })],
          requests: fn.function.metricInvocations({ period: fiveMinutes }),
          atLeast: 1000,
          label: 'Throttles, percent',
          period: fiveMinutes,
        }),
        threshold: 0.1,
      }),
    ),
  ];
}

/** The failures of a function's traffic, without those of the check of its release, which invokes the version directly. */
function failures({ stage, manageApi }: MonitoredResources, fn: EndpointFunction): MathExpression {
  const period = oneMinute;
  const answered =
    fn === manageApi.function
      ? apiMetricOf('manage', stage, 'Failures', period)
      : serviceMetric(stage, 'Failures', { route: fn.name }, { period });
  const answers = fn.name in serviceOperations || isBearerEndpoint(fn) || fn === manageApi.function;
  return percentOf({
    counted: [fn.invoked.metricErrors({ period }), ...(answers ? [answered] : [])],
    requests: fn.invoked.metricInvocations({ period }),
    atLeast: 100,
    label: 'Failures, percent',
    period,
  });
}

function isBearerEndpoint({ name }: EndpointFunction): boolean {
  return bearerEndpoints.some((endpoint) => endpoint.name === name);
}

/**
 * The canary makes a change each minute, so that neither events nor the numbers of the feeds can stop unnoticed: while the
 * mapping of the stream is disabled or denied, its functions are not invoked, and have no other metric.
 */
function stoppedAlarms({ stage }: MonitoredResources): AlarmDefinition[] {
  const period = oneMinute;
  const each = [
    ['events-stopped', 'arrived on the event bus', serviceMetric(stage, 'ChangesPublished', {}, { period })],
    ['numbers-stopped', 'got a number in its feed', serviceMetric(stage, 'ChangesNumbered', {}, { period })],
  ] as const;
  return each.map(([name, what, arrived]) => ({
    name,
    section: 'events-stopped',
    description: `For three minutes, no change has ${what}, although the canary has made one in each.`,
    metric: new MathExpression({
      expression: 'IF(FILL(failures, 1) >= 1, 1, FILL(arrived, 0))',
      usingMetrics: { failures: serviceMetric(stage, 'CanaryFailures', {}, { period }), arrived },
      label: 'Changes, or 1 without a change of the canary',
      period,
    }),
    threshold: 1,
    isMinimum: true,
    datapoints: [3, 3],
    firesWithoutData: true,
  }));
}

/** Its application does not hear of blocks any more, so one is enough. */
function webhookAlarm(stage: Stage): AlarmDefinition {
  return {
    name: 'webhook-turned-off',
    description: 'A webhook turned itself off: its receiver accepted nothing for three days, or answered 410.',
    metric: serviceMetric(stage, 'WebhooksTurnedOff'),
    threshold: 1,
  };
}

/** A day and a quarter, so that a run may be late. */
function headsAlarm(stage: Stage): AlarmDefinition {
  const period = Duration.hours(6);
  const runs = serviceMetric(stage, 'HeadsSigned', {}, { statistic: Stats.SAMPLE_COUNT, period });
  return {
    name: 'heads-unsigned',
    description: 'For 30 hours, the heads of all chains were not signed and stored in the second account.',
    metric: new MathExpression({
      expression: 'FILL(runs, 0)',
      usingMetrics: { runs },
      label: 'Signed heads of the whole table',
      period,
    }),
    threshold: 1,
    isMinimum: true,
    datapoints: [5, 5],
    firesWithoutData: true,
  };
}

/** Only the second fires without data: the first rolls releases back, and there is no data before the canary's first run. */
function canaryAlarms(stage: Stage): AlarmDefinition[] {
  const runs = serviceMetric(stage, 'CanaryFailures', {}, { statistic: Stats.SAMPLE_COUNT, period: oneMinute });
  return [
    {
      name: 'canary-failures',
      description: 'The canary, which calls the service as an application every minute, gets wrong responses or none.',
      metric: serviceMetric(stage, 'CanaryFailures', {}, { period: oneMinute }),
      threshold: 1,
      datapoints: [2, 3],
      rollsBack: true,
    },
    {
      name: 'canary-silent',
      description: 'The canary has not run for three minutes.',
      // Without FILL, CloudWatch would use older datapoints, and fire only after five minutes.
      metric: new MathExpression({
        expression: 'FILL(runs, 0)',
        usingMetrics: { runs },
        label: 'Runs of the canary',
        period: oneMinute,
      }),
      threshold: 1,
      isMinimum: true,
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
