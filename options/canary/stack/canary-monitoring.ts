import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmDefinition } from '#lib/monitoring/alarm-definition.ts';
import { oneMinute, serviceMetric } from '#lib/monitoring/monitored-metrics.ts';
import type { Graph } from '#lib/monitoring/option-part.ts';
import type { Stage } from '#lib/settings/stages.ts';
import { type CanaryTime, metricNames } from '#shared/contract/metrics.ts';

const canaryTimes = Object.keys(metricNames).filter((name): name is CanaryTime => /^Canary.*Milliseconds$/.test(name));

/** What the canary measures. */
export function canaryGraphs(stage: Stage): Graph[] {
  return [
    { title: 'Canary failures', metrics: [serviceMetric(stage, 'CanaryFailures')] },
    {
      title: 'Canary, p99 (ms)',
      metrics: canaryTimes.map((name) => serviceMetric(stage, name, {}, { label: name, statistic: Stats.p(99) })),
    },
  ];
}

/**
 * The canary makes a change each minute, so that neither events nor the numbers of the feeds can stop unnoticed: while the
 * mapping of the stream is disabled or denied, its functions are not invoked, and have no other metric.
 */
export function stoppedAlarms(stage: Stage): AlarmDefinition[] {
  const period = oneMinute;
  const each = [
    ['events-stopped', 'arrived on the event bus', serviceMetric(stage, 'ChangesPublished', {}, { period })],
    ['numbers-stopped', 'got a number in its feed', serviceMetric(stage, 'ChangesNumbered', {}, { period })],
  ] as const;
  return each.map(([name, what, arrived]) => ({
    name,
    section: 'events-stopped',
    description: `For three minutes, no change has ${what}, although the canary has made one in each.`,
    metric: new MathExpression({
      expression: 'IF(FILL(failures, 1) >= 1, 1, FILL(arrived, 0))',
      usingMetrics: { failures: serviceMetric(stage, 'CanaryFailures', {}, { period }), arrived },
      label: 'Changes, or 1 without a change of the canary',
      period,
    }),
    threshold: 1,
    isMinimum: true,
    datapoints: [3, 3],
    firesWithoutData: true,
  }));
}

/** Only the second fires without data: the first rolls releases back, and there is no data before the canary's first run. */
export function canaryAlarms(stage: Stage): AlarmDefinition[] {
  const runs = serviceMetric(stage, 'CanaryFailures', {}, { statistic: Stats.SAMPLE_COUNT, period: oneMinute });
  return [
    {
      name: 'canary-failures',
      description: 'The canary, which calls the service as an application every minute, gets wrong responses or none.',
      metric: serviceMetric(stage, 'CanaryFailures', {}, { period: oneMinute }),
      threshold: 1,
      datapoints: [2, 3],
      rollsBack: true,
    },
    {
      name: 'canary-silent',
      description: 'The canary has not run for three minutes.',
      // Without FILL, CloudWatch would use older datapoints, and fire only after five minutes.
      metric: new MathExpression({
        expression: 'FILL(runs, 0)',
        usingMetrics: { runs },
        label: 'Runs of the canary',
        period: oneMinute,
      }),
      threshold: 1,
      isMinimum: true,
      datapoints: [3, 3],
      firesWithoutData: true,
    },
    {
      name: 'canary-delay',
      description: 'A block takes 5 seconds or longer to reach the feed.',
      metric: serviceMetric(
        stage,
        'CanaryBlockToFeedMilliseconds',
        {},
        { statistic: Stats.MAXIMUM, period: oneMinute },
      ),
      threshold: 5000,
      datapoints: [3, 5],
    },
  ];
}
