import type { KeyIssuer } from '#shared/contract/api-key.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type KeyState, lifetimeSeconds } from '#shared/table/items/key-state.ts';
import { isActive } from '../request/authorize.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The part of a key's state that says from when until when it is valid, by whom it was issued and what it replaces. */
export type KeyLifecycle = Pick<
  KeyState,
  'createdAt' | 'issuedBy' | 'expiresAt' | 'lifetimeSeconds' | 'revokedAt' | 'replaces'
>;

/** States by the id of their key. */
export type KeyStates<State extends KeyLifecycle> = Readonly<Record<string, State>>;

type NewLifecycle = Pick<KeyLifecycle, 'createdAt' | 'expiresAt' | 'replaces'>;

/** The lifecycle of a key that the caller issues. */
export function issuedLifecycle(key: NewLifecycle, { caller }: RequestContext): KeyLifecycle {
  return { ...key, issuedBy: issuerOf(caller), lifetimeSeconds: lifetimeSeconds(key), revokedAt: null };
}

function issuerOf(caller: RequestContext['caller']): KeyIssuer | null {
  if (caller.kind !== 'operator') return null;
  const { via, id, email = null } = caller;
  return { via, id, email };
}

export interface Rotation {
  readonly oldKeyId: string;
  readonly createdAt: string;
  readonly overlapSeconds: number;
  /** When the new key expires. Default: after the lifetime with which the old key was issued. */
  readonly expiresAt?: string | null | undefined;
}

/**
 * Replaces a key by one that differs only in its lifecycle; the old key expires after the overlap at the latest. 404
 * `key_not_found` if it has ended.
 */
export function rotateState<State extends KeyLifecycle>(
  old: State,
  { oldKeyId, createdAt, overlapSeconds, expiresAt = expiryFrom(old, createdAt) }: Rotation,
  context: RequestContext,
  at: Date,
): { readonly old: State; readonly next: State } {
  if (!isActive(old, at)) {
    throw new ServiceError('key_not_found', { detail: 'This key is revoked or has expired. Issue a new one.' });
  }
  const overlapEnd = new Date(at.getTime() + overlapSeconds * 1000).toISOString();
  const oldExpiresAt = old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
  const lifecycle = issuedLifecycle({ createdAt, expiresAt, replaces: oldKeyId }, context);
  return { old: { ...old, expiresAt: oldExpiresAt }, next: { ...old, ...lifecycle } };
}

/** When a key expires that is created at this time with the same lifetime. */
function expiryFrom({ lifetimeSeconds: seconds }: KeyLifecycle, createdAt: string): string | null {
  return seconds === null ? null : new Date(Date.parse(createdAt) + seconds * 1000).toISOString();
}

/** The key that replaced this one, of several the latest; `null` if it was not rotated. */
export function successorOf(keys: KeyStates<KeyLifecycle>, keyId: string): string | null {
  const successors = Object.keys(keys).filter((other) => keys[other]?.replaces === keyId);
  return successors.sort((one, other) => (ulidOf(one) < ulidOf(other) ? 1 : -1))[0] ?? null;
}

/** Unique within an application, even across root versions; ordered by time. */
export function ulidOf(keyId: string): string {
  return keyId.slice(-26);
}

const retentionMilliseconds = 30 * 86_400_000;

/** Drops keys that ended more than thirty days ago, and all but those that ended last, up to the given number. */
export function withoutLongEnded<State extends KeyLifecycle>(
  keys: KeyStates<State>,
  at: Date,
  maxEnded: number,
): KeyStates<State> {
  const entries = Object.entries(keys);
  const recentlyEnded = entries
    .filter(([, key]) => !isActive(key, at) && endOf(key) > at.getTime() - retentionMilliseconds)
    .sort(([, one], [, other]) => endOf(other) - endOf(one))
    .slice(0, maxEnded);
  const kept = new Set(recentlyEnded.map(([keyId]) => keyId));
  return Object.fromEntries(entries.filter(([keyId, key]) => isActive(key, at) || kept.has(keyId)));
}

/** In milliseconds since the epoch; infinite for a key that is neither revoked nor has an expiry. */
function endOf({ revokedAt, expiresAt }: KeyLifecycle): number {
  return Math.min(...[revokedAt, expiresAt].filter((end) => end !== null).map((end) => Date.parse(end)));
}
