import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { type MetricName, metricNamespace, type ServiceApiDimensions } from '#shared/contract/metrics.ts';
import type { ManageApi } from '../api/manage-api.ts';
import type { ServiceApi } from '../api/service-api.ts';
import type { ChangeEvents } from '../data/change-events.ts';
import type { Table } from '../data/table.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { SignedCanary } from '../releases/signed-canary.ts';
import type { Stage } from '../settings/stages.ts';

/** The parts of the stack that have metrics. */
export interface MonitoredResources {
  readonly stage: Stage;
  readonly serviceApi: ServiceApi;
  readonly manageApi: ManageApi;
  readonly changeEvents: ChangeEvents;
  readonly table: Table;
  readonly canary?: SignedCanary | undefined;
}

export const oneMinute = Duration.minutes(1);
export const fiveMinutes = Duration.minutes(5);

/** All Lambda functions of the service. */
export function functionsOf({
  serviceApi,
  manageApi,
  changeEvents,
}: Pick<MonitoredResources, 'serviceApi' | 'manageApi' | 'changeEvents'>): EndpointFunction[] {
  return [...serviceApi.functions.values(), manageApi.function, changeEvents.publisher, changeEvents.historyWriter];
}

/** A metric that the service itself publishes. */
export function serviceMetric(
  { serviceName }: Stage,
  metricName: MetricName,
  dimensions: Readonly<Record<string, string>> = {},
  options: Pick<MetricOptions, 'label' | 'statistic' | 'period'> = {},
): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { service: serviceName, ...dimensions },
    statistic: Stats.SUM,
    period: fiveMinutes,
    ...options,
  });
}

/** A metric of the Service API, across all its routes. */
export function serviceApiMetric(stage: Stage, metricName: MetricName): Metric {
  return serviceMetric(stage, metricName, { api: 'service' } satisfies ServiceApiDimensions);
}

/** A metric of the table, as a sum. */
export function tableMetric({ resource }: Table, metricName: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: resource.tableName },
    statistic: Stats.SUM,
    period: fiveMinutes,
    label: metricName,
  });
}

/** Throttled requests to the index, without those to the table itself. */
export function indexThrottles({ resource }: Table): Metric[] {
  return ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
    (metricName) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: resource.tableName, GlobalSecondaryIndexName: 'gsi1' },
        statistic: Stats.SUM,
        period: fiveMinutes,
        label: `${metricName} of the index`,
      }),
  );
}

/** A metric of the whole HTTP API, all routes together. */
export function apiMetric(
  { serviceApi }: Pick<MonitoredResources, 'serviceApi'>,
  name: string,
  period: Duration,
): Metric {
  return new Metric({
    namespace: 'AWS/ApiGateway',
    metricName: name,
    dimensionsMap: { ApiId: serviceApi.httpApi.apiId },
    statistic: Stats.SUM,
    period,
  });
}

/** The age of the records that a reader of the stream gets. */
export function iteratorAge({ name, function: fn }: EndpointFunction, period: Duration): Metric {
  return fn.metric('IteratorAge', { statistic: Stats.MAXIMUM, period, label: name });
}

/** The number of messages in a queue. */
export function queueDepth(queue: Queue): Metric {
  return queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: fiveMinutes });
}

/** The sum of a fixed number of metrics: at most ten, the limit of an alarm. */
export function sumOf(metrics: readonly Metric[], label: string, period = fiveMinutes): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics, label, period });
}
