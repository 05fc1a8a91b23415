import type { AccessReplicaOptions, ReplicaChange, ReplicaFailure } from './access-replica.ts';

/** Calls the application's callbacks. What they throw never reaches the replica. */
export interface ReplicaCallbacks {
  /** Calls `onError`; resolves when it has finished. */
  report(during: ReplicaFailure['during'], error: unknown, userIds?: readonly string[]): Promise<undefined>;
  /** Calls `onChange`, and `onError` if that fails. */
  tell(change: ReplicaChange): Promise<void>;
}

/** The callbacks of the options; each may be missing. */
export function createCallbacks(options: AccessReplicaOptions): ReplicaCallbacks {
  const report: ReplicaCallbacks['report'] = async (during, error, userIds) => {
    try {
      await options.onError?.({ during, error, ...(userIds && { userIds }) });
    } catch {}
  };
  return {
    report,
    async tell(change) {
      try {
        await options.onChange?.(change);
      } catch (error) {
        report('onChange', error);
      }
    },
  };
}
