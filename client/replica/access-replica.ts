/// <reference lib="esnext.disposable" preserve="true" />
import type { AuthServiceClient, CallOptions } from '../client-interface.ts';
import type { ReplicaDecision } from './decide-locally.ts';

/** The options of a replica: its source, its limits and its callbacks. */
export interface AccessReplicaOptions {
  /** Reads the snapshot and the changes; its key needs the scope `access:read`. */
  readonly client: AuthServiceClient;
  /** The polling interval, with 20 % jitter; 5 by default. */
  readonly pollSeconds?: number;
  /** The maximum age of data that decides; 60 by default. */
  readonly maxStalenessSeconds?: number;
  /**
   * What to do with older data. `ask`, the default: `checkOrAsk` asks the service, `check` denies everyone. `deny`: both deny
   * everyone. `goOn`: the last data decides, unless the service has rejected the key.
   */
  readonly whenStale?: 'ask' | 'deny' | 'goOn';
  /**
   * What to do with an id of which the replica knows nothing: an untouched user has no data, nor has a mistyped id. `default`,
   * the default: decide as for an untouched user. `ask`: `checkOrAsk` asks the service once and remembers whether there is such
   * a user; until then, `check` denies. `deny`: both deny.
   */
  readonly unknown?: 'default' | 'ask' | 'deny';
  /** How often the data is compared with the service's, in full; 3600 by default, 0 is never. */
  readonly verifySeconds?: number;
  /** A file that keeps the data for the next start; none by default. Only for one application and one process at a time. */
  readonly file?: string;
  /** How long the first load may take, including retries; 60 by default. */
  readonly startTimeoutSeconds?: number;
  /** Called with the users whose decision has changed. */
  readonly onChange?: (change: ReplicaChange) => unknown;
  /** Called with failures; the replica recovers automatically. */
  readonly onError?: (failure: ReplicaFailure) => unknown;
}

/** The users whose decision has changed, or possibly all users, because the application's rollout was changed. */
export type ReplicaChange =
  | {
      /** These users alone. */
      readonly all: false;
      /** The users, each once. */
      readonly userIds: readonly string[];
    }
  | {
      /** All users. */
      readonly all: true;
      /** Not known. */
      readonly userIds?: undefined;
    };

/** A failure of polling the service, of the file, or of `onChange`; or wrong data that was found, or could not be repaired. */
export interface ReplicaFailure {
  /** What the replica was doing. */
  readonly during: 'poll' | 'repair' | 'file' | 'onChange';
  /** What was thrown. */
  readonly error: unknown;
  /** The users whose data was read again. */
  readonly userIds?: readonly string[];
}

/** An in-memory copy that decides about an application's users locally and follows changes. */
export interface AccessReplica {
  /**
   * Decides without a request. The option `unknown` decides about ids of which the replica knows nothing.
   *
   * @example
   * ```ts
   * declare const replica: import('@auth-service/client/replica').AccessReplica;
   *
   * const { effectiveStatus, roles } = replica.check('ada');
   * const mayEdit = effectiveStatus === 'enabled' && roles.some(({ name }) => name === 'editor');
   * ```
   */
  check(userId: string): ReplicaDecision;
  /**
   * Decides like `check`, but asks the service if `whenStale` is `ask` and the data is older than allowed, or if `unknown` is
   * `ask` and the replica knows nothing of the id. Rejects with the client's error if the service then does not answer.
   *
   * @example
   * ```ts
   * declare const replica: import('@auth-service/client/replica').AccessReplica;
   *
   * const { effectiveStatus } = await replica.checkOrAsk('ada', { signal: AbortSignal.timeout(2000) });
   * ```
   */
  checkOrAsk(userId: string, options?: CallOptions): Promise<ReplicaDecision>;
  /**
   * Resolves when the replica has caught up with the service for the first time; with a file it can decide earlier. Rejects if
   * it is closed before. Waiting does not keep the process running.
   */
  readonly synchronized: Promise<void>;
  /**
   * Reads the whole snapshot again. Resolves when it decides, together with the changes since. Rejects if the replica is closed
   * before; after a failure it tries again.
   */
  resync(): Promise<void>;
  /** The age of the data, for telemetry: the time since the sending of the last request that found nothing more to read. */
  readonly ageSeconds: number;
  /** Stops following changes and writes the file. `check` decides by the last data for as long as allowed. */
  close(): Promise<void>;
  /** Closes the replica at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
