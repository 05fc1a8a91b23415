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

/** JSON lines; takes no request headers, bodies, e-mail addresses or secrets. */
export const log = new Logger();

/** Asked once: the logger reads the environment for each answer. */
const logsInfo = log.level <= LogLevelThreshold.INFO;

/**
 * One line at level INFO with these members and nothing else: half as long as the logger's. Level and time are in it because
 * Lambda adds what is missing of them; it is not written by `console`, which Lambda's JSON format puts into a line of its own.
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

/** What a request has cost at the table until now. */
export interface Usage {
  /** Requests on the wire, the SDK's retries among them. */
  dynamoDbRequests: number;
  /** Capacity units, as far as DynamoDB reported them: a cancelled transaction reports none. */
  consumedCapacity: number;
}

const current = new AsyncLocalStorage<Usage>();

/** Counts what the requests to the table cost that are made within. */
export function trackUsage<T>(run: () => T): T {
  return current.run({ dynamoDbRequests: 0, consumedCapacity: 0 }, run);
}

/** The usage of the request in whose course this is called; undefined outside of one. */
export function currentUsage(): Usage | undefined {
  return current.getStore();
}
