import type { BearerEndpoint } from './bearer-endpoint.ts';

/** A request to an endpoint for connections, for benchmarks and tests; without its token. */
export interface BearerSample {
  readonly endpoint: BearerEndpoint;
  /** What it asks, as a row of the bench. */
  readonly operation: string;
  /** How many users it asks about. Default: none, its users are those that it creates. */
  readonly users?: number;
  /** What it is designed to consume. */
  readonly designed: {
    readonly requests: number;
    readonly readUnits: number;
    /** Default: none. */
    readonly tableWriteUnits?: number;
    readonly indexWriteUnits?: number;
  };
  /** The status of its response. */
  readonly expected: number;
  readonly request: (about: SampleSubject) => SampleRequest;
}

/** What a request is about. */
export interface SampleSubject {
  readonly userIds: readonly string[];
  readonly appId: string;
  /** A group of a directory, which gives a role. */
  readonly groupId: string;
  /** Which of the requests of an operation it is. */
  readonly turn: number;
}

/** What a request has besides its token. */
export interface SampleRequest {
  /** Default: the method and the path of the first route. */
  readonly method?: string;
  readonly path?: string;
  /** Default: none. */
  readonly query?: string;
  /** Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Default: none. */
  readonly body?: object;
}
