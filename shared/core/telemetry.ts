import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MetricName } from '#shared/contract/metrics.ts';

/*
 * Logger and metrics take the service's name and the namespace from POWERTOOLS_SERVICE_NAME and POWERTOOLS_METRICS_NAMESPACE,
 * which the stack sets.
 */

/** JSON lines; takes no request headers, bodies, e-mail addresses or secrets. */
export const log = new Logger();

/** Metrics of this process, written to its log in CloudWatch's embedded metric format; one line for each `publish`. */
const metrics = new Metrics();

/** Values by the metric's name: counts and, for those that end so, milliseconds. */
export type MetricValues = Partial<Record<MetricName, number | readonly number[]>>;

/** Publishes values at once, under these dimensions beside the service's name. */
export function publishMetrics(values: MetricValues, dimensions: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(dimensions)) metrics.addDimension(name, value);
  for (const [name, value] of Object.entries(values)) {
    const unit = name.endsWith('Milliseconds') ? MetricUnit.Milliseconds : MetricUnit.Count;
    for (const one of [value].flat()) metrics.addMetric(name, unit, one);
  }
  metrics.publishStoredMetrics();
}
