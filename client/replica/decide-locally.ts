import { fullRollout, isInRollout } from '#shared/contract/rollout.ts';
import { type Access, userIdPattern } from '../service-contract.ts';
import { evaluate, type HeldRole, type UserFacts } from './user-facts.ts';

/** Why nothing decides: there is no such user; what is known is older than allowed; the service itself has refused the key since. */
export type NoDecisionCode = 'user_not_found' | 'stale' | 'key_refused';

/** What a replica answers about one user. */
export interface ReplicaDecision {
  readonly userId: string;
  /** What the application must obey. */
  readonly effectiveStatus: Access['effectiveStatus'];
  /** What decided, as in an Access; `null` if nothing did, which is never `enabled`. */
  readonly decidedBy: Access['decidedBy'] | null;
  /** The roles that the user holds now, by name, also while the user may not enter. */
  readonly roles: readonly HeldRole[];
  /** Why nothing decided; `null` if something did. */
  readonly code: NoDecisionCode | null;
  /** How old what is known is; 0 if the service was asked. */
  readonly ageSeconds: number;
}

/** All that the replica of an application knows. */
export interface ReplicaState {
  readonly appId: string;
  /** The users of whom something is known; for all others the default holds. */
  readonly users: Map<string, UserFacts>;
  /** The share of the users without a status who may enter, and the version of the application that has set it. */
  rollout: readonly [percent: number, version: number];
  /** Where the changes begin that are not applied yet. */
  cursor: string;
}

/** The service's time, in milliseconds since the epoch, and how long ago all was known. */
export type ServiceTime = readonly [now: number, ageSeconds: number];

/** The same decision as the service's `decideAccess`. */
export function decideLocally(
  { appId, users, rollout: [percent] }: ReplicaState,
  userId: string,
  [now, ageSeconds]: ServiceTime,
): ReplicaDecision {
  const facts = users.get(userId);
  if (!facts && !isUserId(userId)) return noDecision(userId, 'user_not_found', ageSeconds);
  const { erasedUntil, isInactive, setting, roles } = evaluate(facts ?? [], now);
  if (erasedUntil) return noDecision(userId, 'user_not_found', ageSeconds);
  let [isEnabled, decidedBy]: [boolean, Access['decidedBy']] = [true, 'default'];
  if (isInactive) [isEnabled, decidedBy] = [false, 'user'];
  else if (setting === 'lapsed') decidedBy = setting;
  else if (setting !== false) [isEnabled, decidedBy] = [setting === 'enabled', 'explicit'];
  else if (percent < fullRollout) [isEnabled, decidedBy] = [isInRollout(appId, userId, percent), 'rollout'];
  return { userId, effectiveStatus: isEnabled ? 'enabled' : 'disabled', decidedBy, roles, code: null, ageSeconds };
}

/** The answer where nothing decides. */
export function noDecision(userId: string, code: NoDecisionCode, ageSeconds: number): ReplicaDecision {
  return { userId, effectiveStatus: 'disabled', decidedBy: null, roles: [], code, ageSeconds };
}

/** Whether there can be a user of this id. */
export function isUserId(userId: unknown): boolean {
  return typeof userId === 'string' && userIdPattern.test(userId);
}
