import {
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  type MetricAlarm,
} from '@aws-sdk/client-cloudwatch';
import type { AwsAccount } from './aws-account.ts';
import { missing, type ProofContext } from './proof-step.ts';

interface Sum {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly since: Date;
}

/** The sum of a metric since a time; undefined without data or if it is 0. */
export async function sumOf(account: AwsAccount, sum: Sum): Promise<number | undefined> {
  const total = (await sumsByMinute(account, sum)).reduce((one, other) => one + other, 0);
  return total === 0 ? undefined : total;
}

/** The sums of each minute with data since a time, in order. */
export async function sumsByMinute({ cloudWatch }: AwsAccount, { namespace, name, dimensions, since }: Sum) {
  const { Datapoints = [] } = await cloudWatch.send(
    new GetMetricStatisticsCommand({
      Namespace: namespace,
      MetricName: name,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      StartTime: since,
      EndTime: new Date(),
      Period: 60,
      Statistics: ['Sum'],
    }),
  );
  return Datapoints.toSorted((one, other) => Number(one.Timestamp) - Number(other.Timestamp)).map(({ Sum = 0 }) => Sum);
}

/** The state of an alarm of the stage or, of several that watch functions, of that of a function. */
export async function alarmState(context: ProofContext, name: string, fn?: string): Promise<string> {
  return (await readAlarm(context, name, fn)).StateValue ?? 'unknown';
}

/** The values of what the alarm of errors of a function watches, since a time: those that CloudWatch computes by its own definition. */
export async function errorValues(context: ProofContext, fn: string, since: Date): Promise<readonly number[]> {
  const { Metrics } = await readAlarm(context, 'errors', fn);
  const { MetricDataResults = [] } = await context.account.cloudWatch.send(
    new GetMetricDataCommand({ MetricDataQueries: Metrics, StartTime: since, EndTime: new Date() }),
  );
  return MetricDataResults.flatMap(({ Values = [] }) => Values);
}

async function readAlarm(
  { account, stage, isEmulated }: ProofContext,
  name: string,
  fn?: string,
): Promise<MetricAlarm> {
  const alarm = `${stage.serviceName}-${name}`;
  const { MetricAlarms = [] } = await account.cloudWatch.send(new DescribeAlarmsCommand({ AlarmNamePrefix: alarm }));
  const found = MetricAlarms.find(({ AlarmName, AlarmDescription = '' }) =>
    fn === undefined ? AlarmName === alarm : AlarmDescription.includes(fn),
  );
  if (found === undefined) throw missing(isEmulated, `the alarm ${alarm}, of metric math, does not exist`);
  return found;
}
