import type { Access } from '../service-contract.ts';

/** The access that a guard decides by: what the client's `Access` and the decision of a replica have in common. */
export interface GuardedAccess extends Pick<Access, 'userId' | 'effectiveStatus' | 'roles'> {
  /** What decided the effective status. New values may be added. */
  readonly decidedBy: string | null;
  /** When a block ends by itself, if it does; a replica does not tell. */
  readonly until?: string | null;
  /** Why the status was set, as an operator or application wrote it; a replica does not know it. */
  readonly reason?: string | null;
}

/** What a source answers; a code says why it has no decision. */
export interface SourceAnswer extends GuardedAccess {
  readonly code?: string | null;
}

/** Asks the service each time, as `AuthServiceClient` does. */
export interface RemoteSource {
  getAccess(userId: string): SourceAnswer | Promise<SourceAnswer>;
}

/** Decides by itself, as a replica does, and may ask the service when it does not know enough. */
export interface LocalSource {
  checkOrAsk(userId: string): SourceAnswer | Promise<SourceAnswer>;
}

/** Where a guard gets accesses from: a client or a replica. */
export type AccessSource = RemoteSource | LocalSource;

/** Whether a value can be asked for accesses. */
export function isAccessSource(source: unknown): source is AccessSource {
  const { checkOrAsk, getAccess } = Object(source);
  return [checkOrAsk, getAccess].some((ask) => typeof ask === 'function');
}

/**
 * The access of a user, or undefined if the service knows no such user. Rejects when the source fails or has no decision,
 * and for an answer that is not the access of this user.
 */
export async function readAccess(source: AccessSource, userId: string): Promise<GuardedAccess | undefined> {
  try {
    const answer = await ('checkOrAsk' in source ? source.checkOrAsk(userId) : source.getAccess(userId));
    return requireDecision(userId, answer);
  } catch (error) {
    // By its code, as another copy of the package may have thrown it.
    if (Object(error).code === 'user_not_found') return undefined;
    throw error;
  }
}

function requireDecision(userId: string, answer: SourceAnswer): SourceAnswer {
  const { userId: id, effectiveStatus, roles, code } = answer;
  if (code) throw Object.assign(new Error(`The source of the guard has no decision: ${code}`), { code });
  if (id === userId && ['enabled', 'disabled'].includes(effectiveStatus) && Array.isArray(roles)) return answer;
  throw new TypeError('The source of the guard answered something that is not the access of this user');
}
