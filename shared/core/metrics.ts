import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { type metricNames, metricNamespace } from '#shared/contract/metrics.ts';
import { serviceName } from './service-name.ts';

/** Metrics of this process, written to its log in CloudWatch's embedded format; one line for each `publish`. */
const metrics = new Metrics({ namespace: metricNamespace, serviceName });

/** What is counted, by the metric's name: counts and, for those that end so, milliseconds. */
export type Counts = Partial<Record<keyof typeof metricNames, number | readonly number[]>>;

/** Publishes values at once, under these dimensions beside the service's name. */
export function publishMetrics(counts: Counts, dimensions: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(dimensions)) metrics.addDimension(name, value);
  for (const [name, values] of Object.entries(counts)) {
    const unit = name.endsWith('Milliseconds') ? MetricUnit.Milliseconds : MetricUnit.Count;
    for (const value of [values].flat()) metrics.addMetric(name, unit, value);
  }
  metrics.publishStoredMetrics();
}
