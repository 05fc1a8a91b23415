import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { documentationOf } from '#shared/contract/documents.ts';
import { manageOperations, type ServiceOperations } from '#shared/contract/operations.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { groupedAlarms } from './alarm-groups.ts';
import { fiveMinutes, type MonitoredResources, oneMinute, percentOf, serviceMetric } from './monitored-metrics.ts';

type ServiceEndpoint = ServiceOperations[keyof ServiceOperations];

const manageLatencyLimit = 3000;

/**
 * Alarms about each route: in a total, the other routes could hide one that is slow or refuses requests. Latency is the
 * function's, from its first line to its response, without cold starts and API Gateway.
 */
export function routeAlarms(resources: MonitoredResources): AlarmDefinition[] {
  // Those of a setting are called when an application starts: a percentile of so few requests says nothing.
  const operations = resources.serviceApi.operations.filter((one) => documentationOf(one).onlyWith === undefined);
  const limits = [...new Set(operations.map(latencyLimitOf))];
  return [
    ...limits.flatMap((limit) =>
      serviceLatency(
        resources,
        operations.filter((one) => latencyLimitOf(one) === limit),
        limit,
      ),
    ),
    manageLatency(resources),
    ...refusals(resources, operations),
  ];
}

function latencyLimitOf(operation: ServiceEndpoint): number {
  return documentationOf(operation).latencyLimitMilliseconds ?? 1000;
}

function serviceLatency(
  resources: MonitoredResources,
  operations: readonly ServiceEndpoint[],
  threshold: number,
): AlarmDefinition[] {
  const statistic = { statistic: Stats.p(99), period: oneMinute };
  return groupedAlarms(
    {
      kind: threshold === 1000 ? 'latency' : `latency-${threshold}`,
      section: 'latency',
      describe: (names) => `The slowest 1% of the requests to ${names} take ${threshold / 1000} s or longer.`,
      threshold,
      datapoints: [3, 5],
      rollsBack: (released) => released,
    },
    operations.map((operation) => {
      const fn = functionOf(resources, operation);
      return { fn, metrics: 1, metric: fn.function.metricDuration({ ...statistic, label: fn.name }) };
    }),
  );
}

function functionOf({ serviceApi }: MonitoredResources, { name }: ServiceEndpoint): EndpointFunction {
  const fn = serviceApi.functions.get(name);
  if (fn === undefined) throw new Error(`The route ${name} has no function`);
  return fn;
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
    rollsBack: [manageApi.function],
  };
}

function refusals(resources: MonitoredResources, operations: readonly ServiceEndpoint[]): AlarmDefinition[] {
  return groupedAlarms(
    {
      kind: 'refusals',
      describe: (names) =>
        `Fifty requests to ${names} in five minutes, and at least half of all to it, get a 4xx response.`,
      // Half of the requests: one event for two of them.
      threshold: 33,
      datapoints: [2, 2],
    },
    operations.map((operation, suffix) => {
      const fn = functionOf(resources, operation);
      const metric = percentOf({
        counted: [serviceMetric(resources.stage, 'Refusals', { route: fn.name })],
        requests: fn.function.metricInvocations({ period: fiveMinutes }),
        atLeast: 150,
        label: fn.name,
        period: fiveMinutes,
        suffix,
      });
      return { fn, metrics: 2, metric };
    }),
  );
}
