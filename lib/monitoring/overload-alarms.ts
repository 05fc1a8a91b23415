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
 * Environments of all functions of the account at once that an account can have unless AWS has raised its quota. At a few
 * milliseconds a request, far more than the service needs: whoever comes near waits for something, or is another workload.
 */
const accountConcurrency = 1000;

/** The alarms of more requests than a limit allows, and of none at all. */
export function overloadAlarms(resources: MonitoredResources): AlarmDefinition[] {
  const { stage, table } = resources;
  return [
    {
      name: 'throttled-requests',
      description:
        'At least 1 % of the requests, out of 100 or more in five minutes, are refused before an endpoint sees them: API Gateway throttles (429), or /api/manage refuses.',
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
      description: 'At least 100 requests in five minutes are above the limit of their application (429).',
      metric: serviceApiMetric(stage, 'LimitedRequests'),
      threshold: 100,
      datapoints: [2, 2],
    },
    ...concurrencyAlarms(resources),
    {
      name: 'index-throttles',
      description: 'DynamoDB throttles the index: lists, the history and the feed, and the writes that they list.',
      metric: sumOf(indexThrottles(table), 'Throttles'),
      threshold: 10,
    },
    ...noTrafficAlarms(resources),
  ];
}

/** All 4xx without those of the Service API's functions: 429 of API Gateway, and what is refused at `/api/manage`. */
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

/** The environments of all functions of the account that run at once. */
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
    description: `The account runs at least 80 % of the ${accountConcurrency} environments that AWS gives it at first.`,
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
        description: `The function ${name} runs at least 80 % of its ${reservedConcurrency} reserved environments.`,
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
      description: `No request has come for ${noTrafficMinutes} minutes: clients cannot reach the service, or nobody asks.`,
      metric: apiMetric(resources, 'Count', fiveMinutes),
      threshold: 1,
      isMinimum: true,
      datapoints: [periods, periods],
    },
  ];
}
