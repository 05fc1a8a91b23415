/** A call of the SDK, by its name in `client/client-interface.ts`. */
export interface CaseCall {
  readonly operation: 'getAccess' | 'isAllowed' | 'checkAccess' | 'setAccess' | 'assignRole' | 'revokeRole' | 'changes';
  readonly userId?: string;
  readonly userIds?: readonly string[];
  /** The members of the body of a write. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The role of a call that names nothing else. */
  readonly role?: string;
  readonly ifVersion?: number;
  /** The cursor after which changes are read. */
  readonly after?: string;
}

/** What happens to one request. */
export interface Exchange {
  /**
   * `no_answer`: the connection ends without an answer. `hang`: there is never an answer. `cut`: the connection ends in the
   * middle of the body.
   */
  readonly fault?: 'no_answer' | 'hang' | 'cut';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body: a text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** The header `Request-Nonce`: that of the request by default, none with `null`, otherwise this text. */
  readonly nonce?: string | null;
  /** How long the answer takes; 0 by default. */
  readonly seconds?: number;
}

/** A sequence of calls of one client. */
export interface FailureCase {
  readonly name: string;
  /** The options of the client that are not the defaults. */
  readonly client?: { readonly timeoutSeconds?: number; readonly maxAttempts?: number };
  readonly steps: readonly (CaseCall | { readonly wait: number })[];
  /** In the order of the requests; the last one is repeated. */
  readonly exchanges: readonly Exchange[];
  /** For each call: the code of its error, or what it answers in a word. Compared with what the SDK does. */
  readonly says: readonly string[];
  /** How many requests the calls send together. Compared with what the SDK does. */
  readonly sends: number;
}

/** A request that the SDK must send. */
export interface ExpectedRequest {
  /** Which call sends it, from 1. All requests of a call have the same nonce, and those of two calls never. */
  readonly call: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly ifMatch?: string;
  readonly body?: unknown;
  /** Milliseconds since the start of the case. */
  readonly sentAt: number;
  /** The parameters of its signature, in seconds since 1970. */
  readonly created: number;
  readonly expires: number;
}

/** The outcome of one call. */
export type ExpectedOutcome =
  | { readonly answer: unknown }
  | {
      readonly error: {
        readonly class: string;
        readonly code: string;
        readonly attempts: number | undefined;
        readonly status: number | undefined;
        readonly retryAfterSeconds: number | undefined;
      };
    };

/** A case with what a conforming SDK does. */
export interface FailureVector extends Omit<FailureCase, 'says' | 'sends'> {
  readonly expected: { readonly outcomes: readonly ExpectedOutcome[]; readonly requests: readonly ExpectedRequest[] };
}
