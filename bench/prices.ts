/**
 * Public on-demand prices in US dollars, without free tiers and volume discounts: the one source of every cost that the
 * bench and the documents state. Re-read the pages before a contract depends on them.
 */
export const prices = {
  region: 'us-east-1',
  readOn: '2026-11-20',
  /** Dollars for a million of each. */
  perMillion: {
    /** DynamoDB, on demand, standard class: a write of up to 1 KB; transactions count twice. */
    writeRequestUnits: 0.625,
    /** The same for a strongly consistent read of up to 4 KB; an eventually consistent one counts half. */
    readRequestUnits: 0.125,
    /** API Gateway, HTTP API: requests of up to 512 KB, the first 300 million of a month. */
    httpApiRequests: 1,
    lambdaRequests: 0.2,
    /** KMS: requests with symmetric, HMAC and RSA-2048 keys. */
    kmsRequests: 3,
    /** EventBridge: custom events of up to 64 KB. */
    busEvents: 1,
    /** X-Ray: traces that are recorded. */
    traces: 5,
  },
  /** Dollars a month for each: a metric of an alarm, a dashboard, a metric of our own, a KMS key. */
  monthly: { alarmMetric: 0.1, dashboard: 3, metric: 0.3, key: 1 },
  /**
   * Cognito, plan Essentials: dollars a month for each active person after the free ones of an account: those who log in at the pool,
   * and those who log in at a company's provider.
   */
  cognito: { person: 0.015, freePeople: 10_000, freeFederatedPeople: 50 },
  /** Lambda, arm64: a second with 1 GB. */
  lambdaGigabyteSecond: 0.0000133334,
  /** The same for provisioned concurrency: 1 GB that is ready, and 1 GB of it that answers a request. */
  provisionedGigabyteSecond: { ready: 0.0000033334, running: 0.0000077778 },
  /** CloudWatch Logs: an ingested gigabyte, class Standard. */
  logGigabyte: 0.5,
  /** A gigabyte sent to the internet, the first 10 TB of a month. */
  transferGigabyte: 0.09,
} as const;

/** The pages with the prices. */
export const priceSources = [
  'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  'https://aws.amazon.com/api-gateway/pricing/',
  'https://aws.amazon.com/lambda/pricing/',
  'https://aws.amazon.com/kms/pricing/',
  'https://aws.amazon.com/eventbridge/pricing/',
  'https://aws.amazon.com/cloudwatch/pricing/',
  'https://aws.amazon.com/xray/pricing/',
  'https://aws.amazon.com/ec2/pricing/on-demand/',
  'https://aws.amazon.com/cognito/pricing/',
] as const;

/** Assumptions where nothing is measured; the cost page says the same. */
export const assumed = {
  computeMilliseconds: 4,
  tripMilliseconds: 4,
  publisherMilliseconds: 10,
  numberingMilliseconds: 20,
  briefLogBytes: 270,
  logBytes: 1000,
  publisherLogBytes: 400,
  accessLogBytes: 450,
  systemLogBytes: 500,
  answerBytes: 1000,
  tracedShare: 0.05,
  /** A receiver of webhooks, until it has answered, and the memory of the function that waits for it. */
  receiverMilliseconds: 100,
  deliveryGigabytes: 0.5,
  /** Logins and refreshes of a person in a month: each five minutes, eight hours a day, on 21 days. */
  decisionsOfPerson: 2000,
} as const;

/**
 * The units for a change that gets its number alone: the end of the log and what is pending are read, the block is written and
 * the pending entry deleted. Less if several get theirs at once.
 */
export const numberingUnits = { read: 4, write: 3 } as const;

/** The consumption of one operation at services that are billed by use. */
export interface Consumption extends UnitCount {
  /** Requests to DynamoDB, on the wire. */
  readonly requests: number;
  readonly kmsRequests: number;
}

/** The request units of DynamoDB. */
export interface UnitCount {
  readonly readUnits: number;
  /** Of the table alone. */
  readonly tableWriteUnits: number;
  readonly indexWriteUnits: number;
}

/** Dollars per million operations at DynamoDB. */
export function dataDollars({ readUnits, tableWriteUnits, indexWriteUnits }: UnitCount): number {
  const { readRequestUnits, writeRequestUnits } = prices.perMillion;
  return readUnits * readRequestUnits + (tableWriteUnits + indexWriteUnits) * writeRequestUnits;
}
