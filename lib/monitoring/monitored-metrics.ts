import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { type ApiDimensions, type MetricName, metricNamespace } from '#shared/contract/metrics.ts';
import type { ManageApi } from '../api/manage-api.ts';
import type { ServiceApi } from '../api/service-api.ts';
import type { ChangeEvents } from '../data/change-events.ts';
import type { Table } from '../data/table.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { Stage } from '../settings/stages.ts';
import type { OptionPart } from './option-part.ts';

/** The parts of the stack that have metrics. */
export interface MonitoredResources {
  readonly stage: Stage;
  readonly serviceApi: ServiceApi;
  readonly manageApi: ManageApi;
  readonly changeEvents: ChangeEvents;
  readonly table: Table;
  readonly options: readonly OptionPart[];
  /** The account's quota of concurrent executions. */
  readonly accountConcurrency: number;
}

export const oneMinute = Duration.minutes(1);
export const fiveMinutes = Duration.minutes(5);

/** The Lambda functions whose errors and throttles are watched. */
export function functionsOf({ serviceApi, manageApi, changeEvents, options }: Functions): EndpointFunction[] {
  const { publisher, numberer } = changeEvents;
  const ofOptions = options.flatMap(({ functions = [] }) => functions);
  return [...serviceApi.functions.values(), manageApi.function, publisher, numberer, ...ofOptions];
}

type Functions = Pick<MonitoredResources, 'serviceApi' | 'manageApi' | 'changeEvents' | 'options'>;

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

/** A metric of a whole API, across all its routes. */
export function apiMetricOf(
  api: ApiDimensions['api'],
  stage: Stage,
  metricName: MetricName,
  period = fiveMinutes,
): Metric {
  return serviceMetric(stage, metricName, { api } satisfies ApiDimensions, { period });
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

/** Throttled requests to the indexes, without those to the table itself. */
export function indexThrottles({ resource }: Table): Metric[] {
  return ['gsi1', 'gsi2'].flatMap((index) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (metricName) =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensionsMap: { TableName: resource.tableName, GlobalSecondaryIndexName: index },
          statistic: Stats.SUM,
          period: fiveMinutes,
          label: `${metricName} of ${index}`,
        }),
    ),
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

/** Events of one kind among requests. */
export interface Share {
  readonly counted: readonly IMetric[];
  readonly requests: IMetric;
  /** Fewer events and requests count as so many, so that a few events of a quiet service are no large share. */
  readonly atLeast: number;
  readonly label: string;
  readonly period: Duration;
  /** A suffix of the ids of the metrics, which are unique in an alarm. Default: none. */
  readonly suffix?: number;
}

/**
 * The share of the counted events in all events and requests, in percent: 50 if each request causes one. The requests that
 * Lambda throttles are not among its invocations, so the events alone must be enough. Sums of a list ignore metrics without
 * data, and AWS does not document whether FILL does.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function percentOf({ counted, requests, atLeast, label, period, suffix }: Share): MathExpression {
  const end = suffix === undefined ? '' : `of${suffix}`;
  const usingMetrics = Object.fromEntries(counted.map((metric, index) => [`counted${index}${end}`, metric]));
  const ids = Object.keys(usingMetrics);
  const all = `SUM([requests${end}, ${ids.join(', ')}])`;
  return new MathExpression({
    expression: `100 * SUM([${ids.join(', ')}]) / IF(${all} >= ${atLeast}, ${all}, ${atLeast})`,
    usingMetrics: { ...usingMetrics, [`requests${end}`]: requests },
    label,
    period,
  });
}

/** Of all requests of the HTTP API in five minutes, where 100 of 10,000 are 1%. */
export function ofRequests(resources: Pick<MonitoredResources, 'serviceApi'>) {
  return { requests: apiMetric(resources, 'Count', fiveMinutes), atLeast: 10_000, period: fiveMinutes };
}

/** The same for what each request may cause several times, where 10 of 100,000 are 0.01%. */
export function ofManyRequests(resources: Pick<MonitoredResources, 'serviceApi'>) {
  return { ...ofRequests(resources), atLeast: 100_000 };
}
