/**
 * The CloudWatch namespace of our metrics. Each has the dimension `service`, those of requests also `route`. Metrics that an
 * alarm watches for all routes are also counted with `api` instead: an alarm has at most ten metrics.
 */
export const metricNamespace = 'AuthService';
/** In production; other stages have their own (`lib/settings/stages.ts`). */
export const serviceName = 'auth-service';

/** Every metric with its unit. */
export const metricNames = {
  Requests: 'a request, by route; of reads of the Service API, Invocations of the function',
  LatencyMilliseconds: 'from the first middleware to the last, by route; of those reads, Duration of the function',
  DynamoDbRequests: 'a request to the table, the retries of the SDK among them, by route, without those reads',
  ConsumedCapacity: 'capacity units of the table and its index, by route, without those reads',
  Errors: 'an answer from 400 on, by route and code',
  Failures: 'an answer from 500 on, by route, and of the whole Management API',
  Refusals: 'an answer from 400 to 499, by route, and of the whole Service API',
  SignatureFailures: 'a 401, by route, and of the whole Service API',
  LimitedRequests: 'a 429 above the limit of an application, of the whole Service API',
  ReplaysRefused: 'a nonce that was spent before, by route',
  ChangesPublished: 'a change on the event bus',
  ChangesPostponed: 'a change that the bus did not take this time',
  ChangesUnpublishable: 'a change that can never be published',
  PublishLagMilliseconds: 'from a change to its event',
  ChangesNumbered: 'a change that got its number in a feed',
  OldPendingChanges: 'a change that a follower saw without a number a minute after it was made',
  UnreadableItems: 'an item of a feed or a history that cannot be read and was skipped: somebody wrote to the table',
  CanaryRequests: 'a request of the canary that reached the Service API',
  CanaryFailures: 'a run of the canary that failed; 0 for one that succeeded',
  CanaryGetMilliseconds: 'of the canary, until a GET is answered',
  CanaryPutMilliseconds: 'of the canary, until a block is answered',
  CanaryFeedMilliseconds: 'of the canary, until the feed is answered',
  CanaryBlockToFeedMilliseconds: 'of the canary, from a block to the feed',
  HeadsSigned: 'the heads of all chains, once the last of them are signed and stored',
  WebhookDeliveries: 'an attempt of a webhook that succeeded',
  WebhookFailures: 'an attempt of a webhook that failed',
  WebhookEventsGivenUp: 'an event that a webhook gave up after three days, while its receiver accepted others',
  WebhooksTurnedOff: 'a webhook that turned itself off',
  LoginsRefused: 'a login or a refresh without access or an account, or that connected one, by route',
  RootKeyFailures: 'a call to KMS that failed after its retries',
} as const;

export type MetricName = keyof typeof metricNames;
/** The times that a run of the canary measures. */
export type CanaryTime = Extract<MetricName, `Canary${string}Milliseconds`>;

/** The dimensions of metrics of a whole API. A type, because no read loads this file. */
export type ApiDimensions = { readonly api: 'service' | 'manage' };
