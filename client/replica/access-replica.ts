/// <reference lib="esnext.disposable" preserve="true" />
import type { AuthServiceClient, CallOptions } from '../client-interface.ts';
import type { ReplicaDecision } from './decide-locally.ts';

/** What a replica does, how current it must be, and whom it tells. */
export interface AccessReplicaOptions {
  /** Reads the snapshot and the changes; its key needs the scope `access:read`. */
  readonly client: AuthServiceClient;
  /** How often it asks for changes, give or take a fifth; 5 by default. */
  readonly pollSeconds?: number;
  /** How old its knowledge may be to decide by it; 60 by default. */
  readonly maxStalenessSeconds?: number;
  /**
   * What to do when the knowledge is older. `ask`, the default: `checkOrAsk` asks the service, `check` lets nobody in.
   * `deny`: nobody is let in. `goOn`: the last knowledge decides, unless the service has refused the key.
   */
  readonly whenStale?: 'ask' | 'deny' | 'goOn';
  /** Where to keep the knowledge for the next start; nowhere by default. Only for one application and one process at a time. */
  readonly file?: string;
  /** How long the first load may take, with its retries; 60 by default. */
  readonly startTimeoutSeconds?: number;
  /** Is told whose decision has changed. */
  readonly onChange?: (change: ReplicaChange) => unknown;
  /** Is told what has failed; the replica goes on by itself. */
  readonly onError?: (failure: ReplicaFailure) => unknown;
}

/** Whose decision has changed: these users', or possibly everybody's, because the application's rollout was changed. */
export type ReplicaChange =
  | { readonly all: false; readonly userIds: readonly string[] }
  | { readonly all: true; readonly userIds?: undefined };

/** What has failed: reading from the service, the file, or `onChange`. */
export interface ReplicaFailure {
  readonly during: 'poll' | 'file' | 'onChange';
  readonly error: unknown;
}

/** Decides about an application's users by itself, and follows what changes. */
export interface AccessReplica {
  /**
   * Decides without asking anybody. A user of whom the service knows nothing is decided like a new one: find out first who
   * the user is.
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
   * The same, but asks the service where `whenStale` is `ask` and the knowledge is older than allowed. Rejects with the
   * client's error if the service then gives no answer.
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
   * Resolves when it has caught up with the service for the first time, which with a file is later than it can decide;
   * rejects if it is closed before. Waiting for it does not keep the process running.
   */
  readonly synchronized: Promise<void>;
  /** How old the knowledge is, for telemetry: since the last request that found nothing more to read was sent. */
  readonly ageSeconds: number;
  /** Ends following, and writes the file. `check` decides by the last knowledge as long as it may. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
