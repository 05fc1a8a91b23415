import { Aws, Duration, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { MetricName } from '#shared/contract/metrics.ts';
import type { EndpointFunction } from '../functions/endpoint-function.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { alarmDefinitions } from './alarm-definitions.ts';
import {
  apiMetric,
  fiveMinutes,
  functionsOf,
  indexThrottles,
  iteratorAge,
  type MonitoredResources,
  oneMinute,
  serviceMetric,
  tableMetric,
} from './monitored-metrics.ts';
import { accountConcurrencyMetric, overloadAlarms, refusedByGateway } from './overload-alarms.ts';
import { routeAlarms } from './route-alarms.ts';

export interface MonitoringProps extends MonitoredResources {
  /**
   * The e-mail address that receives alarms, once its owner confirms the subscription e-mail from AWS. Default: only the
   * topic's other subscribers.
   */
  readonly alarmEmail?: string | undefined;
}

/** The alarms, their SNS topic, and a CloudWatch dashboard. */
export class Monitoring extends Construct {
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];
  readonly #rollbacks: readonly (readonly [Alarm, AlarmDefinition['rollsBack']])[];

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    this.topic = this.#createTopic(props);
    const definitions = [...alarmDefinitions(props), ...routeAlarms(props), ...overloadAlarms(props)];
    this.#rollbacks = definitions.map(
      (definition) => [this.#createAlarm(definition, props), definition.rollsBack] as const,
    );
    this.alarms = this.#rollbacks.map(([alarm]) => alarm);
    this.#createDashboard(props);
  }

  /** The alarms that roll a release of this function back. */
  rollbackAlarmsOf(fn: EndpointFunction): readonly Alarm[] {
    const concerns = (rollsBack: AlarmDefinition['rollsBack']) =>
      typeof rollsBack === 'object' ? rollsBack.includes(fn) : rollsBack;
    return this.#rollbacks.flatMap(([alarm, rollsBack]) => (concerns(rollsBack) ? [alarm] : []));
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
      reason: 'Alarms contain no secrets, and CloudWatch cannot publish to a topic with the AWS managed key of SNS.',
    });
    return topic;
  }

  #createAlarm(definition: AlarmDefinition, { stage, alarmEmail }: MonitoringProps): Alarm {
    const { name, section = name, description, metric, threshold, isMinimum = false } = definition;
    const [datapoints, periods] = definition.datapoints ?? [1, 1];
    const alarm = new Alarm(this, pascalCase(name), {
      alarmName: `${stage.serviceName}-${name}`,
      alarmDescription: `${description} What to do: docs/operate/runbook.md#${section}`,
      metric,
      threshold,
      comparisonOperator: isMinimum
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      datapointsToAlarm: datapoints,
      treatMissingData: definition.firesWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      actionsEnabled: stage.alarmsNotify || alarmEmail !== undefined,
    });
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }

  #createDashboard(props: MonitoringProps): void {
    const dashboard = new Dashboard(this, 'Dashboard', {
      // Unlike names of alarms, names of dashboards are unique in an account across all Regions.
      dashboardName: `${props.stage.serviceName}-${Aws.REGION}`,
      defaultInterval: Duration.hours(3),
    });
    dashboard.addWidgets(...graphsOf(props));
  }
}

function graphsOf(props: MonitoredResources): GraphWidget[] {
  const { stage, serviceApi, changeEvents, table, options } = props;
  const routes = serviceApi.operations;
  const byRoute = (name: MetricName, of = routes) =>
    of.map(({ name: route }) => serviceMetric(stage, name, { route }, { label: route }));
  // Lambda counts the requests and times of each route's function; successful reads publish no metrics.
  const byFunction = (name: string, statistic = Stats.SUM) =>
    routes.flatMap(
      ({ name: route }) =>
        serviceApi.functions.get(route)?.function.metric(name, { label: route, statistic, period: fiveMinutes }) ?? [],
    );
  const writes = routes.filter((route) => route.writes);
  const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 8, height: 6 });
  return [
    graph('Requests', byFunction('Invocations')),
    graph('Latency, p50 (ms)', byFunction('Duration', Stats.p(50))),
    graph('Latency, p99 (ms)', byFunction('Duration', Stats.p(99))),
    graph('Signature failures', byRoute('SignatureFailures')),
    graph('Replays refused', byRoute('ReplaysRefused', writes)),
    graph('Capacity units', [...byRoute('ConsumedCapacity', writes), tableMetric(table, 'ConsumedReadCapacityUnits')]),
    graph('4xx from the functions', byRoute('Refusals')),
    graph('4xx before an endpoint: 429 from API Gateway, and all of /api/manage', [refusedByGateway(props)]),
    graph(
      '429 above the limit of an application',
      routes.map(({ name: route }) =>
        serviceMetric(stage, 'Errors', { route, code: 'too_many_requests' }, { label: route }),
      ),
    ),
    graph('All requests', [apiMetric(props, 'Count', fiveMinutes)]),
    graph('Concurrency', [
      ...functionsOf(props).map(({ name, function: fn }) =>
        fn.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM, period: oneMinute, label: name }),
      ),
      accountConcurrencyMetric().with({ label: 'the whole account' }),
    ]),
    graph('Function errors', functionsOf(props).map(metricOfEach('Errors'))),
    graph('Throttles', [
      ...functionsOf(props).map(metricOfEach('Throttles')),
      ...['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(table, name)),
      ...indexThrottles(table),
    ]),
    graph('Changes', [
      serviceMetric(stage, 'ChangesPublished'),
      serviceMetric(stage, 'ChangesPostponed'),
      serviceMetric(stage, 'ChangesUnpublishable'),
    ]),
    ...options.flatMap(({ graphs = [] }) => graphs).map(({ title, metrics }) => graph(title, [...metrics])),
    graph('From a change to its event, p99 (ms), and age of the stream for its readers', [
      serviceMetric(stage, 'PublishLagMilliseconds', {}, { statistic: Stats.p(99) }),
      iteratorAge(changeEvents.publisher, fiveMinutes),
      iteratorAge(changeEvents.numberer, fiveMinutes),
    ]),
  ];
}

function metricOfEach(metricName: string) {
  return ({ name, function: fn }: EndpointFunction): IMetric =>
    fn.metric(metricName, { statistic: Stats.SUM, period: fiveMinutes, label: name });
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
