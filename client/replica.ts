export type {
  AccessReplica,
  AccessReplicaOptions,
  ReplicaChange,
  ReplicaFailure,
} from './replica/access-replica.ts';
export { createAccessReplica } from './replica/create-access-replica.ts';
export type { NoDecisionCode, ReplicaDecision } from './replica/decide-locally.ts';
export type { HeldRole } from './replica/user-facts.ts';
