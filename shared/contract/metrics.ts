/** Where CloudWatch finds our metrics; each has the dimension `service`, those of requests `route` too. */
export const metricNamespace = 'AuthService';
/** In production; other stages have their own (`lib/stages.ts`). */
export const serviceName = 'auth-service';

/** Every metric, with what one of it is. */
export const metricNames = {
  Requests: 'a request, by route',
  LatencyMilliseconds: 'from the first middleware to the last, by route',
  DynamoDbRequests: 'a request to the table, the retries of the SDK among them, by route',
  ConsumedCapacity: 'capacity units of the table and its index, by route',
  Errors: 'an answer from 400 on, by route and code',
  Refusals: 'an answer from 400 to 499, by route',
  SignatureFailures: 'a 401, by route',
  ReplaysRefused: 'a nonce that was spent before, by route',
  ChangesPublished: 'a change on the event bus',
  ChangesPostponed: 'a change that the bus did not take this time',
  ChangesUnpublishable: 'a change that can never be published',
  PublishLagMilliseconds: 'from a change to its event',
  RootKeyFailures: 'a call to KMS that failed after its retries',
} as const;

export type MetricName = keyof typeof metricNames;
