import type { Access } from '../service-contract.ts';

/** The access that a guard decides by: the members that the client's `Access` and the decision of a replica share. */
export interface GuardedAccess extends Pick<Access, 'userId' | 'effectiveStatus' | 'roles'> {
  /** What decided the effective status. New values may be added. */
  readonly decidedBy: string | null;
  /** When a block expires, if it does; absent from a replica. */
  readonly until?: string | null;
  /** The reason for the status, written by an operator or application; absent from a replica. */
  readonly reason?: string | null;
}

/** The answer of a source; the code says why it has no decision. */
export interface SourceAnswer extends GuardedAccess {
  /** Such as `user_not_found`, `unknown` or `stale`; `null` or absent if there is a decision. */
  readonly code?: string | null;
}

/** A source that asks the service each time, such as `AuthServiceClient`. */
export interface RemoteSource {
  /** Reads the access of a user; rejects with an error whose `code` is `user_not_found` for an unknown one. */
  getAccess(userId: string): SourceAnswer | Promise<SourceAnswer>;
}

/** A source that decides locally, such as a replica, and may ask the service if its data is stale. */
export interface LocalSource {
  /** Decides about a user, if necessary with the help of the service. */
  checkOrAsk(userId: string): SourceAnswer | Promise<SourceAnswer>;
}

/** The source of a guard's decisions: a client or a replica. */
export type AccessSource = RemoteSource | LocalSource;

/** Whether a value is a source. */
export function isAccessSource(source: unknown): source is AccessSource {
  const { checkOrAsk, getAccess } = Object(source);
  return [checkOrAsk, getAccess].some((ask) => typeof ask === 'function');
}

/**
 * The access of a user, or undefined if the user is unknown. Rejects if the source fails or has no decision, or if its answer
 * is not the access of this user.
 */
export async function readAccess(source: AccessSource, userId: string): Promise<GuardedAccess | undefined> {
  try {
    const answer = await ('checkOrAsk' in source ? source.checkOrAsk(userId) : source.getAccess(userId));
    return requireDecision(userId, answer);
  } catch (error) {
    // Checks the code, because another copy of the package may have thrown the error.
    if (['user_not_found', 'unknown'].includes(Object(error).code)) return undefined;
    throw error;
  }
}

function requireDecision(userId: string, answer: SourceAnswer): SourceAnswer {
  const { userId: id, effectiveStatus, roles, code } = answer;
  if (code) throw Object.assign(new Error(`The guard's source has no decision: ${code}`), { code });
  if (id === userId && ['enabled', 'disabled'].includes(effectiveStatus) && Array.isArray(roles)) return answer;
  throw new TypeError("The guard's source did not return the access of this user");
}
