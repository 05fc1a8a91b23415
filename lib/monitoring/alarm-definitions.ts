import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import { bearerEndpoints } from '../options/endpoint-sets.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
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

/**
 * All alarms. One failed request must not fire an alarm; one lost change must. Those that count events are shares of the
 * requests, so that they mean the same at one request a minute and at thousands a second.
 */
export function alarmDefinitions(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, changeEvents, table } = resources;
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
        'Followers have seen changes that have no number a minute after they were made. They get them repeatedly, and later the more there are.',
      metric: serviceMetric(stage, 'OldPendingChanges', {}, { period: oneMinute }),
      threshold: 1,
      datapoints: [3, 5],
    },
    ...resources.options.flatMap(({ alarms }) => alarms),
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
