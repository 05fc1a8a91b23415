import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { publishMetrics } from '#shared/core/metrics.ts';
import { usage } from '#shared/core/usage.ts';

/** A request that was answered. */
export interface CountedRequest {
  /** Undefined when it reached none. */
  readonly route: string | undefined;
  /** Undefined when it went well. */
  readonly code: ErrorCode | undefined;
  readonly durationMs: number;
}

/** Adds a request to the metrics of its route, and an error to those of its code. */
export function countRequest({ route = 'none', code, durationMs }: CountedRequest): void {
  const { dynamoDbRequests = 0, consumedCapacity = 0 } = usage() ?? {};
  const counts = {
    Requests: 1,
    LatencyMilliseconds: durationMs,
    DynamoDbRequests: dynamoDbRequests,
    ConsumedCapacity: consumedCapacity,
    SignatureFailures: code !== undefined && errorCatalogue[code].status === 401 ? 1 : 0,
    ReplaysRefused: code === 'nonce_replayed' ? 1 : 0,
  };
  publishMetrics(counts, { route });
  if (code !== undefined) publishMetrics({ Errors: 1 }, { route, code });
}
