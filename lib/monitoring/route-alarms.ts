import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { documentationOf } from '#shared/contract/documents.ts';
import { manageOperations, type ServiceOperations } from '#shared/contract/operations.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { fiveMinutes, type MonitoredResources, oneMinute, percentOf, serviceMetric } from './monitored-metrics.ts';

type ServiceEndpoint = ServiceOperations[keyof ServiceOperations];

const manageLatencyLimit = 3000;

/**
 * Separate alarms for each route: in a total, the other routes could hide one that is slow or refuses requests. Latency is the
 * function's, from its first line to its response, without cold starts and API Gateway.
 */
export function routeAlarms(resources: MonitoredResources): AlarmDefinition[] {
  // Those of a setting are called when an application starts: a percentile of so few requests says nothing.
  const operations = resources.serviceApi.operations.filter((one) => documentationOf(one).onlyWith === undefined);
  return [...operations.map((operation) => serviceLatency(resources, operation)), manageLatency(resources)].concat(
    operations.map((operation) => refusals(resources, operation)),
  );
}

function serviceLatency({ serviceApi }: MonitoredResources, operation: ServiceEndpoint): AlarmDefinition {
  const { name: route } = operation;
  const fn = serviceApi.functions.get(route);
  if (fn === undefined) throw new Error(`The route ${route} has no function`);
  const { latencyLimitMilliseconds: threshold = 1000 } = documentationOf(operation);
  return {
    name: `latency-${route}`,
    section: 'latency',
    description: `The slowest 1% of ${route} requests take ${threshold / 1000} s or longer.`,
    metric: fn.function.metricDuration({ statistic: Stats.p(99), period: oneMinute }),
    threshold,
    datapoints: [3, 5],
    rollsBack: fn,
  };
}

function manageLatency({ stage, manageApi }: MonitoredResources): AlarmDefinition {
  const pages = Object.values(manageOperations).filter((operation) => documentationOf(operation).opensPage);
  const p99 = pages.map(({ name: route }) =>
    serviceMetric(stage, 'LatencyMilliseconds', { route }, { statistic: Stats.p(99), period: oneMinute }),
  );
  return {
    name: 'latency-manage',
    section: 'latency',
    description: `The slowest 1% of requests for a page of the Management API take ${manageLatencyLimit / 1000} s or longer.`,
    metric: new MathExpression({
      expression: 'MAX(METRICS())',
      usingMetrics: Object.fromEntries(p99.map((metric, index) => [`m${index}`, metric])),
      label: 'Slowest page, p99',
      period: oneMinute,
    }),
    threshold: manageLatencyLimit,
    datapoints: [3, 5],
    rollsBack: manageApi.function,
  };
}

function refusals({ stage, serviceApi }: MonitoredResources, { name: route }: ServiceEndpoint): AlarmDefinition {
  const requests = serviceApi.functions.get(route)?.function.metricInvocations({ period: fiveMinutes });
  if (requests === undefined) throw new Error(`The route ${route} has no function`);
  return {
    name: `refusals-${route}`,
    section: 'refusals',
    description: `Fifty requests to ${route} in five minutes, and at least half of all, get a 4xx response.`,
    metric: percentOf({
      counted: [serviceMetric(stage, 'Refusals', { route })],
      requests,
      atLeast: 150,
      label: '4xx, percent',
      period: fiveMinutes,
    }),
    // Half of the requests: one event for two of them.
    threshold: 33,
    datapoints: [2, 2],
  };
}
