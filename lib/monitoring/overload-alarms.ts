import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmDefinition } from './alarm-definitions.ts';
import {
  apiMetric,
  fiveMinutes,
  functionsOf,
  indexThrottles,
  type MonitoredResources,
  oneMinute,
  serviceApiMetric,
  sumOf,
} from './monitored-metrics.ts';

/**
 * AWS's default quota of concurrent environments for all functions of an account. At a few milliseconds per request the
 * service needs far fewer: coming close means that something is slow, or that another workload uses them.
 */
const accountConcurrency = 1000;

/** The alarms for more requests than a limit allows, and for no requests at all. */
export function overloadAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, table } = resources;
  return [
    {
      name: 'throttled-requests',
      description:
        'At least 1% of requests are refused before they reach an endpoint, with 100 or more requests in five minutes: API Gateway throttles (429), or /api/manage refuses them.',
      metric: new MathExpression({
        expression: 'IF(requests >= 100, 100 * refused / requests, 0)',
        usingMetrics: { refused: refusedByGateway(resources), requests: apiMetric(resources, 'Count', fiveMinutes) },
        label: 'Refused by API Gateway, percent',
        period: fiveMinutes,
      }),
      threshold: 1,
    },
    {
      name: 'limited-applications',
      description: 'At least 100 requests in five minutes exceed the limit of their application (429).',
      metric: serviceApiMetric(stage, 'LimitedRequests'),
      threshold: 100,
      datapoints: [2, 2],
    },
    ...concurrencyAlarms(resources),
    {
      name: 'index-throttles',
      description: 'DynamoDB is throttling the index: lists, the history and the feed, and writes to what they list.',
      metric: sumOf(indexThrottles(table), 'Throttles'),
      threshold: 10,
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
    expression: 'all4xx - FILL(unknown, 0) - FILL(answered, 0)',
    usingMetrics: {
      all4xx: apiMetric(resources, '4xx', fiveMinutes),
      unknown,
      answered: serviceApiMetric(stage, 'Refusals'),
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

function concurrencyAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const account: AlarmDefinition = {
    name: 'concurrency',
    description: `The account uses at least 80% of AWS's default quota of ${accountConcurrency} concurrent executions.`,
    metric: accountConcurrencyMetric(),
    threshold: Math.ceil(accountConcurrency * 0.8),
    datapoints: [2, 3],
  };
  const reserved = functionsOf(resources).flatMap(({ name, function: fn, reservedConcurrency }): AlarmDefinition[] => {
    if (reservedConcurrency === undefined) return [];
    return [
      {
        name: `reserved-concurrency-${name}`,
        section: 'concurrency',
        description: `The function ${name} uses at least 80% of its ${reservedConcurrency} reserved environments.`,
        metric: fn.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM, period: oneMinute }),
        threshold: Math.ceil(reservedConcurrency * 0.8),
        datapoints: [2, 3],
      },
    ];
  });
  return [account, ...reserved];
}

function noTrafficAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const { noTrafficMinutes } = resources.stage;
  if (noTrafficMinutes === 0) return [];
  const periods = noTrafficMinutes / fiveMinutes.toMinutes();
  return [
    {
      name: 'no-traffic',
      description: `No requests for ${noTrafficMinutes} minutes: clients cannot reach the service, or none are calling it.`,
      metric: apiMetric(resources, 'Count', fiveMinutes),
      threshold: 1,
      isMinimum: true,
      datapoints: [periods, periods],
    },
  ];
}
