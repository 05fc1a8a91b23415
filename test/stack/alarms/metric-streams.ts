import { everyEndpoint } from '../../support/service-endpoints.ts';
import type { MetricOfAlarm } from './alarm-evaluator.ts';

/** What a metric is about: a function, a route, an API, the table, its indexes or a queue; empty for the whole service. */
export type Subject = string;
/** The value that an incident gives a metric in a minute; undefined for none, `normal` to leave it as it is. */
export type Incident = (metric: {
  readonly name: string;
  readonly of: Subject;
  readonly minute: number;
}) => number | undefined | 'normal';

/** The requests of each route in a minute. */
export interface Traffic {
  readonly perRoute: number;
}
export const quiet: Traffic = { perRoute: 1 };
export const slow: Traffic = { perRoute: 5 };
/** 5,000 requests a second in total. */
export const busy: Traffic = { perRoute: Math.round((5000 * 60) / everyEndpoint.length) };

const routes = everyEndpoint.map(({ name }): string => name);
const canaryRequests = 5;
/** Minutes in which nobody but the canary calls a quiet service: less than the hour that counts as an outage. */
const night = { from: 150, to: 190 };

type Published = Parameters<Incident>[0] & { readonly statistic: string };

/**
 * The metrics of an ordinary day: requests, some of them refused, a single failed one, one failure each of KMS and of the canary
 * during a deployment, a few throttles that the SDK retries, and a quiet night.
 */
export function ordinaryValue(metric: Published, traffic: Traffic): number | undefined {
  const value = ordinaryDay[metric.name];
  if (value === undefined) throw new Error(`An ordinary day has no metric ${metric.name} of ${metric.of}`);
  const isNight = traffic !== busy && metric.minute >= night.from && metric.minute < night.to;
  return value(metric, { isBusy: traffic === busy, perRoute: isNight ? 0 : traffic.perRoute });
}

interface Minute {
  readonly isBusy: boolean;
  readonly perRoute: number;
}

const invocations = ({ of, minute }: Published, { perRoute }: Minute): number | undefined => {
  if (routes.includes(of)) return perRoute || undefined;
  if (of === 'refuse-unknown-route') return minute % 10 === 0 ? 1 : undefined;
  return of === 'manage' ? 2 * Math.sign(perRoute) || undefined : 1 + Math.ceil(perRoute / 10);
};
const at =
  (minute: number, value = 1) =>
  (metric: Published) =>
    metric.minute === minute ? value : undefined;
const whileInvoked = (value: (metric: Published) => number) => (metric: Published, now: Minute) =>
  invocations(metric, now) === undefined ? undefined : value(metric);
const all = ({ perRoute }: Minute) => perRoute * routes.length;
const throttles = (metric: Published, { isBusy }: Minute) => (isBusy ? 4 : at(110)(metric));

const ordinaryDay: Readonly<Record<string, (metric: Published, now: Minute) => number | undefined>> = {
  Invocations: invocations,
  Errors: whileInvoked((metric) => (metric.of === 'set-access' ? (at(100)(metric) ?? 0) : 0)),
  Throttles: whileInvoked(() => 0),
  Duration: whileInvoked((metric) => at(120, 900)(metric) ?? 40),
  LatencyMilliseconds: whileInvoked(() => 80),
  IteratorAge: (metric) => at(120, 15_000)(metric) ?? 300,
  ConcurrentExecutions: ({ of }, { isBusy }) => (isBusy && of !== 'manage' ? 60 : 2),
  Failures: (metric) => (metric.of === 'get-access' ? at(85)(metric) : undefined),
  Refusals: ({ of }, now) => 0.02 * (of === 'service' ? all(now) : now.perRoute) || undefined,
  SignatureFailures: (metric, { isBusy }) => (isBusy ? 20 : at(95, 3)(metric)),
  LimitedRequests: (_, { isBusy }) => (isBusy ? 40 : undefined),
  RootKeyFailures: at(105),
  // Once a day.
  WebhooksTurnedOff: () => undefined,
  HeadsSigned: ({ minute }) => (minute % 1440 === 20 ? 1 : undefined),
  CanaryFailures: (metric) => (metric.statistic === 'SampleCount' ? 1 : (at(121)(metric) ?? 0)),
  CanaryRequests: () => canaryRequests,
  CanaryBlockToFeedMilliseconds: (metric) => at(121, 7000)(metric) ?? 900,
  ChangesPublished: (_, { perRoute }) => 1 + Math.ceil(perRoute / 10),
  ChangesNumbered: (_, { perRoute }) => 1 + Math.ceil(perRoute / 10),
  // The function was throttled for a minute.
  OldPendingChanges: at(121, 3),
  Count: (_, now) => all(now) + canaryRequests,
  '4xx': (_, now) => 0.02 * all(now),
  ReadThrottleEvents: throttles,
  WriteThrottleEvents: throttles,
  ApproximateNumberOfMessagesVisible: () => 0,
};

/** Finds what a metric of the template is about; throws for dimensions that it does not know. */
export function subjectOf(
  { dimensions, name }: MetricOfAlarm,
  nameOfFunction: (id: string) => string | undefined,
): Subject {
  const {
    FunctionName,
    Resource: _,
    route,
    api,
    TableName,
    GlobalSecondaryIndexName,
    QueueName,
    ApiId,
    service,
    ...others
  } = dimensions;
  if (Object.keys(others).length > 0) throw new Error(`Unknown dimensions of ${name}: ${Object.keys(others)}`);
  if (FunctionName !== undefined) return nameOfFunction(FunctionName) ?? FunctionName;
  if (TableName !== undefined) return GlobalSecondaryIndexName === undefined ? 'table' : 'index';
  return route ?? api ?? QueueName ?? (ApiId === undefined && service === undefined ? 'account' : '');
}
