import { everyEndpoint, webhookEndpoints } from '../../support/service-endpoints.ts';
import { busy, type Incident, quiet, slow, type Traffic } from './metric-streams.ts';

/** An outage or a danger that an alarm must notice. */
export interface AlarmIncident {
  /** The name of the alarm or, of one about several functions, its kind and the function. */
  readonly alarm: string;
  readonly title: string;
  readonly traffic: Traffic;
  readonly incident: Incident;
  /** Minutes from its beginning until the alarm. */
  readonly within: number;
}

type Metric = Parameters<Incident>[0];
type Value = number | undefined | ((metric: Metric) => number | undefined);

/** Gives metrics these values, each by its name or by name and subject. */
function values(given: Readonly<Record<string, Value>>): Incident {
  return (metric) => {
    const key = [`${metric.name} ${metric.of}`, metric.name].find((one) => Object.hasOwn(given, one));
    if (key === undefined) return 'normal';
    const value = given[key];
    return typeof value === 'function' ? value(metric) : value;
  };
}

const rates = { 'at 1 request a minute': quiet, 'at 5 requests a minute': slow, 'at 5,000 requests a second': busy };
const routes = everyEndpoint.map(({ name }): string => name);
const readers = ['publish-changes', 'number-changes'];
const ofWebhooks = [...webhookEndpoints.map(({ name }) => name), 'deliver-webhook', 'wake-webhooks'];
const functions = [...routes, 'refuse-unknown-route', 'manage', ...readers, ...ofWebhooks];

/** The same incident at each rate. */
function atRates(
  alarm: string,
  title: string,
  within: number,
  incident: (traffic: Traffic) => Incident,
  which: readonly (keyof typeof rates)[] = ['at 1 request a minute', 'at 5,000 requests a second'],
): AlarmIncident[] {
  return which.map((rate) => ({
    alarm,
    title: `${title}, ${rate}`,
    traffic: rates[rate],
    incident: incident(rates[rate]),
    within,
  }));
}

function errorsOf(name: string): AlarmIncident[] {
  const alarm = `errors-${name}`;
  const failing = name === 'manage' ? 'Failures manage' : `Failures ${name}`;
  const all = (traffic: Traffic): Incident =>
    values({ [`Invocations ${name}`]: traffic.perRoute, [failing]: traffic.perRoute, [`Errors ${name}`]: 0 });
  const crashes = (traffic: Traffic): Incident =>
    values({ [`Invocations ${name}`]: traffic.perRoute, [`Errors ${name}`]: traffic.perRoute });
  /** A tenth, in whole requests. */
  const tenth = ({ perRoute }: Traffic, minute: number) =>
    Math.floor(((minute + 1) * perRoute) / 10) - Math.floor((minute * perRoute) / 10);
  const ofTenth =
    (metric: string) =>
    (traffic: Traffic): Incident =>
      values({
        [`Invocations ${name}`]: traffic.perRoute,
        [metric]: ({ minute }) => tenth(traffic, minute) || undefined,
      });
  const bake = ['at 5 requests a minute', 'at 5,000 requests a second'] as const;
  const answers = routes.includes(name) || name === 'manage';
  return [
    ...(answers ? atRates(alarm, 'it answers 5xx to everybody', 5, all) : []),
    ...(answers
      ? atRates(alarm, 'a new version with a tenth of its requests answers 5xx to all', 5, ofTenth(failing), bake)
      : []),
    ...atRates(alarm, 'it crashes or times out', 5, crashes),
    ...atRates(alarm, 'a new version with a tenth of its requests crashes', 5, ofTenth(`Errors ${name}`), bake),
  ];
}

/** The throttles that Lambda counts are not among its invocations. */
const throttled =
  (name: string) =>
  (traffic: Traffic): Incident =>
    values({
      [`Invocations ${name}`]: undefined,
      [`Errors ${name}`]: undefined,
      [`Throttles ${name}`]: traffic.perRoute,
    });

const ofAll = ({ perRoute }: Traffic) => perRoute * routes.length;

/** At least one incident for each alarm. */
export const incidents: readonly AlarmIncident[] = [
  ...functions.flatMap(errorsOf),
  ...functions.flatMap((name) => atRates(`function-throttles-${name}`, 'Lambda throttles it', 10, throttled(name))),
  ...['table', 'index'].flatMap((of) =>
    atRates(`${of}-throttles`, 'DynamoDB throttles it', 10, (traffic) =>
      values({ [`WriteThrottleEvents ${of}`]: Math.max(10, ofAll(traffic) / 1000) }),
    ),
  ),
  ...atRates('signature-failures', 'somebody guesses signatures, or clients are broken', 15, (traffic) => {
    const failing = Math.max(50, ofAll(traffic) * 0.02);
    return values({ 'SignatureFailures service': failing, Count: ofAll(traffic) + failing });
  }),
  ...atRates('root-key-failures', 'KMS fails for new environments', 5, ({ perRoute }) =>
    values({ RootKeyFailures: Math.min(perRoute, 30) }),
  ),
  ...atRates('root-key-failures', 'KMS fails for a new version with a tenth of the requests', 5, () =>
    values({ RootKeyFailures: ({ minute }) => (minute % 2 === 0 ? 1 : undefined) }),
  ),
  ...readers.flatMap((name) =>
    atRates('stream-age', `${name} does not keep up`, 5, () => values({ [`IteratorAge ${name}`]: 90_000 })),
  ),
  {
    alarm: 'dead-letters',
    title: 'a change could not be published',
    traffic: quiet,
    incident: values({ ApproximateNumberOfMessagesVisible: 1 }),
    within: 10,
  },
  {
    alarm: 'webhook-turned-off',
    title: 'a webhook turned itself off',
    traffic: quiet,
    incident: values({ WebhooksTurnedOff: 1 }),
    within: 10,
  },
  {
    alarm: 'heads-unsigned',
    title: 'the heads are signed no more',
    traffic: quiet,
    incident: values({ HeadsSigned: undefined }),
    within: 2380,
  },
  ...atRates('canary-failures', 'the canary gets wrong answers', 5, () => values({ CanaryFailures: 1 })),
  ...atRates('canary-silent', 'the canary does not run', 5, () =>
    values({ CanaryFailures: undefined, CanaryRequests: undefined, CanaryBlockToFeedMilliseconds: undefined }),
  ),
  ...atRates('canary-delay', 'blocks reach the feed late', 5, () => values({ CanaryBlockToFeedMilliseconds: 8000 })),
  ...atRates('events-stopped', 'the mapping is disabled or denied', 5, () =>
    values({
      ChangesPublished: undefined,
      'Invocations publish-changes': undefined,
      'IteratorAge publish-changes': undefined,
    }),
  ),
  ...atRates('events-stopped', 'the publisher is stuck', 5, () => values({ ChangesPublished: undefined })),
  ...atRates('numbers-stopped', 'the mapping is disabled or denied', 5, () =>
    values({
      'Invocations number-changes': undefined,
      'Errors number-changes': undefined,
      'IteratorAge number-changes': undefined,
      ChangesNumbered: undefined,
    }),
  ),
  ...atRates('numbers-stopped', 'the function is stuck', 5, () => values({ ChangesNumbered: undefined })),
  ...atRates('pending-changes', 'changes of one feed get no numbers', 5, () => values({ OldPendingChanges: 1 })),
  ...routes.flatMap((route) =>
    atRates(`latency-${route}`, 'it is slow', 5, () => values({ [`Duration ${route}`]: 4000 })),
  ),
  ...atRates('latency-manage', 'a page is slow', 5, () => values({ LatencyMilliseconds: 4000 })),
  ...routes.flatMap((route): AlarmIncident[] => {
    const refusing = ({ perRoute }: Traffic): Incident =>
      values({ [`Refusals ${route}`]: perRoute * 0.6, [`Invocations ${route}`]: perRoute });
    const alarm = `refusals-${route}`;
    return [
      ...atRates(alarm, 'it refuses most requests', 15, refusing, ['at 5,000 requests a second']),
      // Below ten refused requests a minute nobody can tell a broken client from somebody who tries things out.
      {
        alarm,
        title: 'it refuses most requests, at 20 requests a minute',
        traffic: quiet,
        incident: refusing({ perRoute: 20 }),
        within: 15,
      },
    ];
  }),
  ...atRates('throttled-requests', 'API Gateway throttles', 15, (traffic) => values({ '4xx': ofAll(traffic) })),
  ...atRates('limited-applications', 'an application exceeds its limit', 15, (traffic) =>
    values({ 'LimitedRequests service': Math.max(30, ofAll(traffic) * 0.05) }),
  ),
  ...atRates('concurrency', 'another workload uses the environments', 5, () =>
    values({ 'ConcurrentExecutions account': 850 }),
  ),
  ...['get-access', 'manage'].flatMap((name) =>
    atRates(`reserved-concurrency-${name}`, 'it needs its reserved environments', 5, () =>
      values({ [`ConcurrentExecutions ${name}`]: 180 }),
    ),
  ),
  // The service and API Gateway count a request of the canary in different periods at times.
  ...atRates('no-traffic', 'only the canary gets through', 70, () =>
    values({ Count: ({ minute }) => (minute % 20 === 4 ? 4 : minute % 20 === 5 ? 6 : 5) }),
  ),
  ...atRates('no-traffic', 'nothing gets through', 70, () => values({ Count: undefined, CanaryRequests: undefined })),
];
