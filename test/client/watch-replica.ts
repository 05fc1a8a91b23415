import {
  type AccessReplica,
  type AccessReplicaOptions,
  createAccessReplica,
  type ReplicaChange,
  type ReplicaFailure,
} from '../../client/replica.ts';

export interface WatchedReplica {
  readonly replica: AccessReplica;
  readonly changes: ReplicaChange[];
  readonly failures: ReplicaFailure[];
}

/** A replica, and its reports. */
export async function watchReplica(options: AccessReplicaOptions): Promise<WatchedReplica> {
  const changes: ReplicaChange[] = [];
  const failures: ReplicaFailure[] = [];
  const replica = await createAccessReplica({
    onChange: (change) => changes.push(change),
    onError: (failure) => failures.push(failure),
    ...options,
  });
  return { replica, changes, failures };
}
