import { Aws, Duration, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type MetricName, metricNamespace } from '#shared/contract/metrics.ts';
import { serviceRoutes } from '#shared/contract/routes.ts';
import type { ChangeEvents } from './change-events.ts';
import type { EndpointFunction } from './endpoint-function.ts';
import type { ManageApi } from './manage-api.ts';
import type { ServiceApi } from './service-api.ts';
import type { Stage } from './stages.ts';
import type { Table } from './table.ts';

export interface MonitoringProps {
  readonly stage: Stage;
  readonly serviceApi: ServiceApi;
  readonly manageApi: ManageApi;
  readonly changeEvents: ChangeEvents;
  readonly table: Table;
  /** Who is told; must confirm a letter of AWS first. Default: who subscribes to the topic, where the stage's alarms tell. */
  readonly alarmEmail?: string | undefined;
}

/** When something is wrong that a person has to look at. */
interface Condition {
  /** Also the heading of its section in `docs/runbook.md`. */
  readonly name: string;
  readonly says: string;
  readonly metric: IMetric;
  /** From this value on. */
  readonly from: number;
  /** How often in how many periods, such as `[2, 3]`. Default: once in one. */
  readonly times?: readonly [times: number, periods: number];
  /** Whether a release is taken back when it begins: what a release can cause, and what shows within its five minutes. */
  readonly rollsBack?: boolean;
}

const oneMinute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

/** The alarms, who hears of them, and the page that shows what the service does. */
export class Monitoring extends Construct {
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];
  /** Those that take a release back. */
  readonly rollbackAlarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    this.topic = this.#createTopic(props);
    const watched = conditionsOf(props).map((condition) => ({ condition, alarm: this.#createAlarm(condition, props) }));
    this.alarms = watched.map(({ alarm }) => alarm);
    this.rollbackAlarms = watched.filter(({ condition }) => condition.rollsBack).map(({ alarm }) => alarm);
    this.#createDashboard(props);
  }

  #createTopic({ stage, alarmEmail }: MonitoringProps): Topic {
    const topic = new Topic(this, 'Alarms', { displayName: `${stage.serviceName} alarms`, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsPublish',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    Validations.of(topic).acknowledge({
      id: 'AwsSolutions-SNS2',
      reason: 'An alarm says nothing secret, and CloudWatch cannot publish under the AWS managed key of SNS.',
    });
    return topic;
  }

  #createAlarm(condition: Condition, { stage, alarmEmail }: MonitoringProps): Alarm {
    const { name, says, metric, from, times: [times, periods] = [1, 1] } = condition;
    const alarm = new Alarm(this, pascalCase(name), {
      alarmName: `${stage.serviceName}-${name}`,
      alarmDescription: `${says} What to do: docs/runbook.md#${name}`,
      metric,
      threshold: from,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      datapointsToAlarm: times,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      actionsEnabled: stage.alarmsTell || alarmEmail !== undefined,
    });
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }

  #createDashboard(props: MonitoringProps): void {
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: props.stage.serviceName,
      defaultInterval: Duration.hours(3),
    });
    dashboard.addWidgets(...graphsOf(props));
  }
}

/** Every alarm. The thresholds are such that one failed request wakes nobody, and a lost change somebody. */
function conditionsOf(props: MonitoringProps): Condition[] {
  const { stage, serviceApi, changeEvents, table } = props;
  const functions = functionsOf(props);
  const api = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      statistic,
      period: oneMinute,
      dimensionsMap: { ApiId: serviceApi.httpApi.apiId },
    });
  const { webhook } = changeEvents;
  return [
    {
      name: 'server-errors',
      says: 'One request of a hundred, and of at least twenty a minute, is answered with 5xx.',
      metric: new MathExpression({
        expression: 'IF(requests >= 20, 100 * errors / requests, 0)',
        usingMetrics: { errors: api('5xx', Stats.SUM), requests: api('Count', Stats.SUM) },
        label: '5xx, percent',
        period: oneMinute,
      }),
      from: 1,
      times: [2, 3],
      rollsBack: true,
    },
    {
      name: 'latency',
      says: 'One request of a hundred takes a second or longer.',
      metric: api('Latency', Stats.p(99)),
      from: 1000,
      times: [3, 5],
      rollsBack: true,
    },
    {
      name: 'function-errors',
      says: 'Functions crash or run out of time.',
      metric: sumOf(
        functions.map(({ function: fn }) => fn.metricErrors({ period: oneMinute })),
        'Errors',
        oneMinute,
      ),
      from: 1,
      times: [2, 5],
      rollsBack: true,
    },
    {
      name: 'function-throttles',
      says: 'Lambda refuses invocations: the limit of concurrent ones is reached.',
      metric: sumOf(
        functions.map(({ function: fn }) => fn.metricThrottles({ period: fiveMinutes })),
        'Throttles',
      ),
      from: 1,
    },
    {
      name: 'table-throttles',
      says: 'DynamoDB throttles the table.',
      metric: sumOf(
        ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table, name)),
        'Throttles',
      ),
      from: 10,
    },
    {
      name: 'signature-failures',
      says: 'Many requests fail with 401: a client is broken, or somebody tries.',
      metric: sumOf(
        Object.keys(serviceRoutes).map((route) => ownMetric(stage, 'SignatureFailures', { route })),
        'Signature failures',
      ),
      from: 100,
      times: [2, 2],
    },
    {
      name: 'root-key-failures',
      says: 'KMS does not give the root key, so that new instances cannot verify signatures.',
      metric: ownMetric(stage, 'RootKeyFailures', {}, { period: oneMinute }),
      from: 1,
      rollsBack: true,
    },
    {
      name: 'stream-age',
      says: 'Changes wait for over a minute to be published.',
      metric: changeEvents.publisher.function.metric('IteratorAge', {
        statistic: Stats.MAXIMUM,
        period: oneMinute,
      }),
      from: 60_000,
      times: [2, 3],
      rollsBack: true,
    },
    {
      name: 'dead-letters',
      says: 'A change could not be published.',
      metric: visibleIn(changeEvents.deadLetters),
      from: 1,
    },
    ...(webhook === undefined
      ? []
      : [
          {
            name: 'webhook-dead-letters',
            says: 'The webhook did not take an event for a day.',
            metric: visibleIn(webhook.deadLetters),
            from: 1,
          },
        ]),
  ];
}

function graphsOf(props: MonitoringProps): GraphWidget[] {
  const { stage, changeEvents, table } = props;
  const routes = Object.keys(serviceRoutes);
  const byRoute = (name: MetricName, statistic = Stats.SUM) =>
    routes.map((route) => ownMetric(stage, name, { route }, { label: route, statistic }));
  const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 8, height: 6 });
  return [
    graph('Requests', byRoute('Requests')),
    graph('Latency, p50 (ms)', byRoute('LatencyMilliseconds', Stats.p(50))),
    graph('Latency, p99 (ms)', byRoute('LatencyMilliseconds', Stats.p(99))),
    graph('Signature failures', byRoute('SignatureFailures')),
    graph('Replays refused', byRoute('ReplaysRefused')),
    graph('Capacity units', byRoute('ConsumedCapacity')),
    graph('Errors and throttles of functions', [
      ...functionsOf(props).map(({ function: fn }) => fn.metricErrors({ period: fiveMinutes })),
      ...['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table, name)),
    ]),
    graph('Changes', [
      ownMetric(stage, 'ChangesPublished'),
      ownMetric(stage, 'ChangesPostponed'),
      ownMetric(stage, 'ChangesUnpublishable'),
    ]),
    graph('From a change to its event, p99 (ms)', [
      ownMetric(stage, 'PublishLagMilliseconds', {}, { statistic: Stats.p(99) }),
      changeEvents.publisher.function.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: fiveMinutes }),
    ]),
  ];
}

function functionsOf({ serviceApi, manageApi, changeEvents }: MonitoringProps): EndpointFunction[] {
  return [...serviceApi.functions.values(), manageApi.function, changeEvents.publisher];
}

function ownMetric(
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

function tableMetric({ resource }: Table, metricName: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: resource.tableName },
    statistic: Stats.SUM,
    period: fiveMinutes,
    label: metricName,
  });
}

function visibleIn(queue: Queue): Metric {
  return queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: fiveMinutes });
}

/** An alarm takes the sum of ten metrics at the most. */
function sumOf(metrics: readonly Metric[], label: string, period = fiveMinutes): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics, label, period });
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
