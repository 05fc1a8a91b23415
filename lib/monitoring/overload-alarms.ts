import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { groupedAlarms } from './alarm-groups.ts';
import {
  apiMetric,
  apiMetricOf,
  fiveMinutes,
  functionsOf,
  indexThrottles,
  type MonitoredResources,
  ofManyRequests,
  ofRequests,
  oneMinute,
  percentOf,
  serviceMetric,
} from './monitored-metrics.ts';

/** The alarms for more requests than a limit allows, and for no requests at all. */
export function overloadAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, table } = resources;
  return [
    {
      name: 'throttled-requests',
      description:
        'Ten requests in five minutes, and at least 1% of all, are refused before they reach an endpoint: API Gateway throttles (429), or /api/manage refuses them.',
      metric: new MathExpression({
        expression: '100 * refused / IF(requests >= 1000, requests, 1000)',
        usingMetrics: { refused: refusedByGateway(resources), requests: apiMetric(resources, 'Count', fiveMinutes) },
        label: 'Refused by API Gateway, percent',
        period: fiveMinutes,
      }),
      threshold: 1,
      datapoints: [2, 2],
    },
    {
      name: 'limited-applications',
      description: '100 requests in five minutes, and at least 1% of all, exceed the limit of their application (429).',
      metric: percentOf({
        counted: [apiMetricOf('service', stage, 'LimitedRequests')],
        ...ofRequests(resources),
        label: '429 of applications, percent',
      }),
      threshold: 1,
      datapoints: [2, 2],
    },
    ...concurrencyAlarms(resources),
    {
      name: 'index-throttles',
      description:
        'DynamoDB is throttling the index (lists, the history and the feed, and writes to what they list): ten times in five minutes, or once for ten thousand requests.',
      metric: percentOf({
        counted: indexThrottles(table),
        ...ofManyRequests(resources),
        label: 'Throttles, percent',
      }),
      threshold: 0.01,
    },
    ...noTrafficAlarms(resources),
  ];
}

/** All 4xx except those of the Service API's functions: API Gateway's 429, and everything that `/api/manage` refuses. */
export function refusedByGateway(resources: MonitoredResources): MathExpression {
  const { stage, serviceApi } = resources;
  const unknown = serviceApi.functions.get('refuse-unknown-route')?.function.metricInvocations({ period: fiveMinutes });
  if (unknown === undefined) throw new Error('Unknown routes have no function');
  return new MathExpression({
    // all4xx - unknown - answered, also while the last two have no data.
    expression: '2 * all4xx - SUM([all4xx, unknown, answered])',
    usingMetrics: {
      all4xx: apiMetric(resources, '4xx', fiveMinutes),
      unknown,
      answered: apiMetricOf('service', stage, 'Refusals'),
    },
    label: 'Refused by API Gateway',
    period: fiveMinutes,
  });
}

/** Concurrent executions of all functions of the account. */
export function accountConcurrencyMetric(): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'ConcurrentExecutions',
    statistic: Stats.MAXIMUM,
    period: oneMinute,
  });
}

/**
 * At a few milliseconds per request the service needs few environments: coming close to the quota means that something is slow,
 * or that another workload uses them.
 */
function concurrencyAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const { accountConcurrency } = resources;
  const account: AlarmDefinition = {
    name: 'concurrency',
    description: `The account uses at least 80% of its quota of ${accountConcurrency} concurrent executions.`,
    metric: accountConcurrencyMetric(),
    threshold: Math.ceil(accountConcurrency * 0.8),
    datapoints: [2, 3],
  };
  // Deliveries that find no environment wait, and a receiver that is slow is not an overload.
  const busy = resources.options.flatMap(({ busyFunctions = [] }) => busyFunctions);
  const functions = functionsOf(resources).filter((fn) => !busy.includes(fn));
  const reserved = groupedAlarms(
    {
      kind: 'reserved-concurrency',
      section: 'concurrency',
      describe: (names) => `${names} uses at least 80% of its reserved environments.`,
      threshold: 80,
      datapoints: [2, 3],
    },
    functions.flatMap((fn, at) => {
      const { reservedConcurrency } = fn;
      return reservedConcurrency === undefined ? [] : [{ fn, metrics: 1, metric: usedOf(fn, reservedConcurrency, at) }];
    }),
  );
  return [account, ...reserved];
}

/** The share of a function's reserved environments that it uses, in percent. */
function usedOf({ name, function: fn }: EndpointFunction, reserved: number, suffix: number): MathExpression {
  const used = fn.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM, period: oneMinute });
  return new MathExpression({
    expression: `100 * used${suffix} / ${reserved}`,
    usingMetrics: { [`used${suffix}`]: used },
    label: name,
    period: oneMinute,
  });
}

function noTrafficAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const { noTrafficMinutes } = resources.stage;
  if (noTrafficMinutes === 0) return [];
  const periods = noTrafficMinutes / fiveMinutes.toMinutes();
  return [
    {
      name: 'no-traffic',
      description: `For ${noTrafficMinutes} minutes, at most one request in five minutes besides the canary's: clients cannot reach the service, or none are calling it.`,
      metric: new MathExpression({
        // requests - canary, also while the canary has no data.
        expression: '2 * requests - SUM([requests, canary])',
        usingMetrics: {
          requests: apiMetric(resources, 'Count', fiveMinutes),
          canary: serviceMetric(resources.stage, 'CanaryRequests'),
        },
        label: 'Requests, without the canary',
        period: fiveMinutes,
      }),
      // The service and API Gateway may count a request in different periods.
      threshold: 2,
      isMinimum: true,
      firesWithoutData: true,
      datapoints: [periods - 1, periods],
    },
  ];
}
