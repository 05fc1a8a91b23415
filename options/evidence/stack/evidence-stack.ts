import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmDefinition } from '#lib/monitoring/alarm-definition.ts';
import { serviceMetric } from '#lib/monitoring/monitored-metrics.ts';
import type { AddToStack } from '#lib/option-stack.ts';
import type { Stage } from '#lib/settings/stages.ts';
import { HeadSigning } from './head-signing.ts';

/** With the setting `headsBucket`, signs the heads of all chains of changes for another account. */
export const addHeadSigning: AddToStack = (stack, { stage, headsBucket: bucket }) => {
  if (bucket === undefined) return undefined;
  const { keyArn } = new HeadSigning(stack, 'HeadSigning', { stage, table: stack.table, bucket });
  return { alarms: [headsAlarm(stage)], keyArns: [keyArn] };
};

/** A day and a quarter, so that a run may be late. */
function headsAlarm(stage: Stage): AlarmDefinition {
  const period = Duration.hours(6);
  const runs = serviceMetric(stage, 'HeadsSigned', {}, { statistic: Stats.SAMPLE_COUNT, period });
  return {
    name: 'heads-unsigned',
    description: 'For 30 hours, the heads of all chains were not signed and stored in the second account.',
    metric: new MathExpression({
      expression: 'FILL(runs, 0)',
      usingMetrics: { runs },
      label: 'Signed heads of the whole table',
      period,
    }),
    threshold: 1,
    isMinimum: true,
    datapoints: [5, 5],
    firesWithoutData: true,
  };
}
