import { fullRollout, isInRollout } from '#shared/contract/rollout.ts';
import { type Access, userIdPattern } from '../service-contract.ts';
import { evaluate, type HeldRole, type UserFacts } from './user-facts.ts';

/**
 * Why there is no decision: the user does not exist, the replica knows nothing of the id, the data is older than allowed, or
 * the service has rejected the key.
 */
export type NoDecisionCode = 'user_not_found' | 'unknown' | 'stale' | 'key_refused';

/** The decision of a replica about one user. */
export interface ReplicaDecision {
  /** The user, as asked. */
  readonly userId: string;
  /** What the application must obey. */
  readonly effectiveStatus: Access['effectiveStatus'];
  /** What decided, as in an Access; `null` without a decision, which is never `enabled`. */
  readonly decidedBy: Access['decidedBy'] | null;
  /** The current roles of the user by name, even while access is `disabled`. */
  readonly roles: readonly HeldRole[];
  /** Why there is no decision; `null` if there is one. */
  readonly code: NoDecisionCode | null;
  /** The age of the data; 0 if the service was asked. */
  readonly ageSeconds: number;
}

/** The data of an application's replica. */
export interface ReplicaState {
  readonly appId: string;
  /** The users with known facts; the default applies to all others. */
  readonly users: Map<string, UserFacts>;
  /** The rollout percentage, and the version of the application that set it. */
  rollout: readonly [percent: number, version: number];
  /** The position of the first change that is not applied yet. */
  cursor: string;
}

/** The service's time, in milliseconds since the epoch, and the age of the data. */
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

/** The answer without a decision. */
export function noDecision(userId: string, code: NoDecisionCode, ageSeconds: number): ReplicaDecision {
  return { userId, effectiveStatus: 'disabled', decidedBy: null, roles: [], code, ageSeconds };
}

/** Whether an id is a valid user id. */
export function isUserId(userId: unknown): boolean {
  return typeof userId === 'string' && userIdPattern.test(userId);
}
