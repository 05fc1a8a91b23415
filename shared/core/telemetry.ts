import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger, LogLevelThreshold } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MetricName } from '#shared/contract/metrics.ts';
import { now } from './clock.ts';
import { startedAhead } from './config.ts';

/*
 * Logger and metrics take the service's name and the namespace from POWERTOOLS_SERVICE_NAME and POWERTOOLS_METRICS_NAMESPACE,
 * which the stack sets.
 */

/** JSON lines; never log request headers, bodies, e-mail addresses or secrets. */
export const log = new Logger();

/** Read once: the logger reads the environment on each call. */
const logsInfo = log.level <= LogLevelThreshold.INFO;

/**
 * One line at level INFO with these members only: half as long as the logger's. It has level and time because
 * Lambda adds them if missing; it bypasses `console`, whose output Lambda's JSON format wraps in another line.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
export function logBriefly(message: string, members: Readonly<Record<string, unknown>>): void {
  if (!logsInfo) return;
  process.stdout.write(`${JSON.stringify({ level: 'INFO', message, timestamp: now(), ...members })}\n`);
}

let isFirst = true;

/** Whether a request waited for this process to start; true at most once. */
export function isColdStart(): boolean {
  const isCold = isFirst && !startedAhead();
  isFirst = false;
  return isCold;
}

/** Metrics of this process, written to its log in CloudWatch's embedded metric format; one line for each `publish`. */
const metrics = new Metrics();

/** Values by metric name: milliseconds for names that end in `Milliseconds`, otherwise counts. */
export type MetricValues = Partial<Record<MetricName, number | readonly number[]>>;

/** Publishes values immediately, with these dimensions and the service's name. */
export function publishMetrics(values: MetricValues, dimensions: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(dimensions)) metrics.addDimension(name, value);
  for (const [name, value] of Object.entries(values)) {
    const unit = name.endsWith('Milliseconds') ? MetricUnit.Milliseconds : MetricUnit.Count;
    for (const one of [value].flat()) metrics.addMetric(name, unit, one);
  }
  metrics.publishStoredMetrics();
}

/** The table usage of a request so far. */
export interface Usage {
  /** Requests on the wire, including the SDK's retries. */
  dynamoDbRequests: number;
  /** The capacity units that DynamoDB reported: a cancelled transaction reports none. */
  consumedCapacity: number;
}

const current = new AsyncLocalStorage<Usage>();

/** Counts the table requests made within, and their cost. */
export function trackUsage<T>(run: () => T): T {
  return current.run({ dynamoDbRequests: 0, consumedCapacity: 0 }, run);
}

/** The usage of the current request; undefined outside a request. */
export function currentUsage(): Usage | undefined {
  return current.getStore();
}
