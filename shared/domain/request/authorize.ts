import type { Scope } from '#shared/contract/operation.ts';
import { hasTime, now, pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { log } from '#shared/core/telemetry.ts';
import { type Application, type GuardedApplication, requireApplication } from '#shared/table/items/application-item.ts';
import { type KeyState, writeKeyUsage } from '#shared/table/items/key-state.ts';
import type { KeyOwner } from '#shared/table/keys/api-key-item-keys.ts';
import type { RequestContext } from './request-context.ts';
import { learnLimit } from './request-limit.ts';
import { requireNotClosed } from './settling.ts';

/** Whether a key is neither revoked nor expired. */
export function isActive(key: Pick<KeyState, 'revokedAt' | 'expiresAt'>, at: Date): boolean {
  return key.revokedAt === null && !hasPassed(key.expiresAt, at);
}

/**
 * Opens the application for a caller who may act on it, and records the use of the key. Throws 401 `key_revoked` or
 * `key_expired`, then 403 `scope_missing`. The MAC is already verified, so a refusal reveals nothing to strangers. AWS has
 * authorized operators, and `authorizeConnection` connections; for them an unknown application is 404 `application_not_found`.
 */
export async function authorize(context: RequestContext, guarded: GuardedApplication, at: Date): Promise<Application> {
  const application = guarded.unwrap();
  const { caller } = context;
  if (caller.kind !== 'api-key') return requireApplication(application);
  const key = application?.keys[caller.keyId];
  // The MAC is valid, so the key was issued: if it or its application no longer exists, it was revoked or deleted.
  if (application === undefined || key === undefined || key.revokedAt !== null) {
    throw new ServiceError('key_revoked', { detail: 'This API key was revoked. Use another one.' });
  }
  if (hasPassed(key.expiresAt, at)) {
    throw new ServiceError('key_expired', { detail: `This API key expired at ${key.expiresAt}. Use another one.` });
  }
  learnLimit(application);
  await recordKeyUsage(caller, caller.keyId);
  requireScope(key, context);
  return application;
}

function requireScope({ scopes }: KeyState, context: RequestContext): void {
  const required = 'requiredScope' in context ? context.requiredScope : undefined;
  // A key may do nothing where no scope is required: fails closed.
  if (required !== undefined && scopes.includes(required)) return;
  throw new ServiceError('scope_missing', {
    detail: `Requires the scope ${required}; the API key has ${scopes.join(', ') || 'none'}.`,
  });
}

/** Whether the caller's API key also has another scope than the operation requires. */
export function hasScope({ keys }: Application, { caller }: RequestContext, scope: Scope): boolean {
  return caller.kind === 'api-key' && keys[caller.keyId]?.scopes.includes(scope) === true;
}

/** Refuses to change access in an application that may be about to be deleted: 503, for some seconds. */
export function requireOpen({ closedUntil }: Application, at: Date): void {
  requireNotClosed('application', closedUntil, at);
}

/** How long a response may wait until its key's use is recorded. */
const keyUsageTimeoutMilliseconds = 100;
/** The number of writes without an answer after which a day's use is no longer recorded. */
const maxKeyUsageAttempts = 3;
const maxRecordedKeys = 1000;
const millisecondsPerDay = 86_400_000;

/** The recording of a key's use by this process. */
interface KeyUse {
  /** Since 1970; making its text costs 2 % of a GET's CPU. */
  readonly day: number;
  /** Writes that were given up when their request was answered. */
  timedOut: number;
  state: 'open' | 'writing' | 'settled';
}

const keyUses = new Map<string, KeyUse>();

/**
 * Records that a key was used today: one write per key, process and day. It is information for operators, so it
 * neither fails a request nor delays it by more than 100 ms; a slower write is left to the key's next request.
 */
export async function recordKeyUsage(owner: KeyOwner, keyId: string): Promise<void> {
  const time = now();
  const use = keyUseOf(keyId, Math.floor(time.getTime() / millisecondsPerDay));
  if (use.state !== 'open') return;
  use.state = 'writing';
  const writing = writeKeyUsage(owner, keyId, time.toISOString().slice(0, 10)).then(
    () => {
      use.state = 'settled';
    },
    (error: Error) => settleFailure(use, keyId, error),
  );
  await Promise.race([writing, pause(keyUsageTimeoutMilliseconds)]);
}

function keyUseOf(keyId: string, day: number): KeyUse {
  const known = keyUses.get(keyId);
  if (known?.day === day) return known;
  if (keyUses.size >= maxRecordedKeys) keyUses.clear();
  const use: KeyUse = { day, timedOut: 0, state: 'open' };
  keyUses.set(keyId, use);
  return use;
}

/** A write aborted with its request does not indicate a database failure: a process's first write is often slow. */
function settleFailure(use: KeyUse, keyId: string, error: Error): void {
  if (!hasTime()) use.timedOut += 1;
  use.state = hasTime() || use.timedOut === maxKeyUsageAttempts ? 'settled' : 'open';
  // Without its stack trace: the use of a key is only information.
  if (use.state === 'settled') log.warn('The use of a key was not recorded', { keyId, reason: String(error) });
}
