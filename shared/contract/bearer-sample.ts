import type { BearerEndpoint } from './bearer-endpoint.ts';

/** A request to an endpoint for connections that answers questions, for benchmarks and tests; without its token. */
export interface BearerSample {
  readonly endpoint: BearerEndpoint;
  /** What it asks, as a row of the bench. */
  readonly operation: string;
  /** How many users it asks about, and what it is designed to consume for it. */
  readonly users: number;
  readonly designed: { readonly requests: number; readonly readUnits: number };
  /** The status of its response. */
  readonly expected: number;
  readonly request: (about: { readonly userIds: readonly string[]; readonly appId: string }) => SampleRequest;
}

/** What a request has besides its method and its token. */
export interface SampleRequest {
  /** Default: none. */
  readonly query?: string;
  /** Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Default: none. */
  readonly body?: object;
}
