import { createDeferred, type Deferred } from './deferred.ts';
import { beginSnapshot, type Snapshot } from './read-service.ts';

/** Which snapshot is being loaded, if any, and who waits for it. */
export interface Loading {
  /** Undefined while the replica follows changes. After a failed poll, the next one continues with the same snapshot. */
  readonly snapshot: Snapshot | undefined;
  /** Begins to load a snapshot, unless one is being loaded; returns it. */
  begin(): Snapshot;
  /** Begins to load a new snapshot instead of the current one. */
  restart(): void;
  /** Restarts; resolves when a snapshot that was begun from now on decides. */
  resync(): Promise<void>;
  /** Ends with a snapshot that decides. False if another one was begun meanwhile, which is loaded next. */
  finish(snapshot: Snapshot): boolean;
  /** Rejects what `resync` has returned. */
  fail(error: Error): void;
}

/** Begins with the first snapshot, unless the replica already has data. */
export function createLoading(appId: string, hasData: boolean): Loading {
  let snapshot = hasData ? undefined : beginSnapshot(appId);
  let resynced: Deferred | undefined;

  function restart(): Snapshot {
    snapshot = beginSnapshot(appId);
    return snapshot;
  }

  return {
    get snapshot() {
      return snapshot;
    },
    begin: () => snapshot ?? restart(),
    restart,
    resync() {
      restart();
      resynced ??= createDeferred();
      return resynced.promise;
    },
    finish(loaded) {
      if (snapshot !== loaded) return false;
      snapshot = undefined;
      resynced?.resolve();
      resynced = undefined;
      return true;
    },
    fail: (error) => resynced?.reject(error),
  };
}
