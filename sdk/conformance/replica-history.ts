import type { AccessReplicaOptions, ReplicaDecision } from '../../client/replica.ts';

/** An answer of the service; every answer has the nonce of its request, unless `foreign` says that it comes from elsewhere. */
export interface RecordedAnswer {
  /** `no_answer`: the connection ends without an answer. */
  readonly fault?: 'no_answer';
  /** 200 by default. An error is a problem document. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The header `Date`. */
  readonly date?: string;
  readonly body?: unknown;
  readonly foreign?: boolean;
}

/** A request that the replica sends, and its answer, which takes no time. */
export interface RecordedExchange {
  /** Milliseconds since the start of the history. */
  readonly at: number;
  readonly method: string;
  /** Path and query below `/api/service/`. */
  readonly target: string;
  readonly body?: unknown;
  readonly answer: RecordedAnswer;
}

/** The options of a replica that other SDKs have too. */
export type HistoryOptions = Pick<
  AccessReplicaOptions,
  'pollSeconds' | 'maxStalenessSeconds' | 'whenStale' | 'unknown' | 'verifySeconds' | 'startTimeoutSeconds'
>;

type Outcome = { readonly decision: ReplicaDecision } | { readonly error: string };

/** What the application does at a time, and what must come of it. Times are milliseconds since the start of the history. */
export type RecordedStep =
  | { readonly at: number; readonly do: 'open'; readonly fails?: string }
  | { readonly at: number; readonly do: 'check' | 'checkOrAsk'; readonly userId: string; readonly outcome: Outcome }
  | { readonly at: number; readonly do: 'resync' }
  | { readonly at: number; readonly do: 'close' };

/** What the replica tells the application. */
export type RecordedReport =
  | { readonly at: number; readonly kind: 'change'; readonly all: boolean; readonly userIds?: readonly string[] }
  | {
      readonly at: number;
      readonly kind: 'error';
      readonly during: string;
      readonly code?: string;
      readonly userIds?: readonly string[];
    };

/** The life of a replica. `file` says whether it has a file, which the history begins without. */
export interface ReplicaVector {
  readonly name: string;
  readonly file: boolean;
  readonly options: HistoryOptions;
  readonly steps: readonly RecordedStep[];
  readonly exchanges: readonly RecordedExchange[];
  readonly reports: readonly RecordedReport[];
}
