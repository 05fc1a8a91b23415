import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { serviceOperations } from '#shared/contract/operations.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import { bearerEndpoints } from '../options/endpoint-sets.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { groupedAlarms, type Watched } from './alarm-groups.ts';
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
 * Alarms about each function: its failures, those that it answers and those that only Lambda counts, because a function that
 * crashes or is throttled cannot. In a total, the other routes would hide one that fails. Those of the Service API share alarms;
 * each rolls back the releases of its functions. Those of the stream's readers, which read what all the others write, roll back
 * every release.
 */
function functionAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const functions = functionsOf(resources);
  const { manageApi, changeEvents } = resources;
  const readers = [changeEvents.publisher, changeEvents.numberer];
  const refusing = resources.options.flatMap(({ refusingFunctions = [] }) => refusingFunctions);
  const apart = [manageApi.function, ...readers, ...refusing];
  const others = functions.filter((fn) => !apart.includes(fn));
  const errors = { section: 'errors', threshold: 1, datapoints: [2, 5] } as const;
  return [
    ...groupedAlarms(
      { ...errors, kind: 'errors', describe: describeErrors, rollsBack: (released) => released },
      others.map((fn, at) => failuresOf(resources, fn, at)),
    ),
    {
      ...errors,
      name: 'errors-manage',
      description: describeErrors('manage'),
      metric: failures(resources, manageApi.function),
      rollsBack: [manageApi.function],
    },
    ...groupedAlarms(
      { ...errors, kind: 'errors-readers', describe: describeErrors, rollsBack: () => true },
      readers.map((fn, at) => failuresOf(resources, fn, at)),
    ),
    ...groupedAlarms(
      {
        kind: 'function-throttles',
        describe: (names) =>
          `Lambda is throttling ${names}: once in five minutes, and one of a thousand invocations. A concurrency limit has been reached.`,
        threshold: 0.1,
      },
      functions.map((fn, suffix) => ({ fn, metrics: 2, metric: throttles(fn, suffix) })),
    ),
  ];
}

function describeErrors(names: string): string {
  return `In two of five minutes, ${names} fails at least once and in 1% of its invocations: it answers 5xx, crashes or times out.`;
}

function throttles({ name, function: fn }: EndpointFunction, suffix: number): MathExpression {
  return percentOf({
    counted: [fn.metricThrottles({ period: fiveMinutes })],
    requests: fn.metricInvocations({ period: fiveMinutes }),
    atLeast: 1000,
    label: name,
    period: fiveMinutes,
    suffix,
  });
}

function failuresOf(resources: MonitoredResources, fn: EndpointFunction, suffix: number): Watched {
  return { fn, metrics: answers(resources, fn) ? 3 : 2, metric: failures(resources, fn, suffix) };
}

/** The failures of a function's traffic, without those of the check of its release, which invokes the version directly. */
function failures(resources: MonitoredResources, fn: EndpointFunction, suffix?: number): MathExpression {
  const { stage, manageApi } = resources;
  const period = oneMinute;
  const answered =
    fn === manageApi.function
      ? apiMetricOf('manage', stage, 'Failures', period)
      : serviceMetric(stage, 'Failures', { route: fn.name }, { period });
  return percentOf({
    counted: [fn.invoked.metricErrors({ period }), ...(answers(resources, fn) ? [answered] : [])],
    requests: fn.invoked.metricInvocations({ period }),
    atLeast: 100,
    label: fn.name,
    period,
    ...(suffix !== undefined && { suffix }),
  });
}

/** Whether it answers requests, and so can answer 5xx. */
function answers({ manageApi }: MonitoredResources, fn: EndpointFunction): boolean {
  return fn.name in serviceOperations || isBearerEndpoint(fn) || fn === manageApi.function;
}

function isBearerEndpoint({ name }: EndpointFunction): boolean {
  return bearerEndpoints.some((endpoint) => endpoint.name === name);
}
